import { StringDecoder } from 'node:string_decoder';

/** A program that never ends its line must not fill our memory. */
const MAX_LINE_CHARACTERS = 16 * 1024;

/**
 * Cuts a byte stream into lines (ended by LF, CR or both), whole UTF-8 characters only, empty lines left out.
 * A line longer than 16 Ki characters is handed over in pieces.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  readonly #maxCharacters: number;
  #rest = '';

  constructor(onLine: (line: string) => void, maxCharacters = MAX_LINE_CHARACTERS) {
    this.#onLine = onLine;
    this.#maxCharacters = maxCharacters;
  }

  write(chunk: Buffer): void {
    this.#take(this.#decoder.write(chunk));
  }

  /** Hands over what is left without a line end. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#rest !== '') this.#onLine(this.#rest);
    this.#rest = '';
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split(/[\r\n]+/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') this.#onLine(line);
    while (this.#rest.length > this.#maxCharacters) {
      this.#onLine(this.#rest.slice(0, this.#maxCharacters));
      this.#rest = this.#rest.slice(this.#maxCharacters);
    }
  }
}
