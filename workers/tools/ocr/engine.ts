/** Reads pictures: the program, or the npm package. */
export interface Engine {
  /**
   * @param onRead is called with how many of the pictures have been read
   * @returns Tesseract's TSV, in which each picture is a page, counted from 1
   */
  read(paths: readonly string[], signal: AbortSignal, onRead?: (count: number) => void): Promise<string>;
  close(): Promise<void>;
}
