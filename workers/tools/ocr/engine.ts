/** Reads pictures: the program, or the npm package. */
export interface Engine {
  /** Tesseract's TSV of two pictures, of which the second is page 2. */
  read(plainPath: string, evenPath: string, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}
