const NEWLINE = 10;

/**
 * The end of a program's output within a limit: whole lines only, where the last one is not longer than the
 * limit itself. Bytes are kept, so that a character that came in two pieces is whole.
 */
export class LineTail {
  readonly #limitBytes: number;
  #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #isCut = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  write(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
    // Twice the limit before cutting, so that each byte is copied about once however small the chunks are.
    if (this.#sizeBytes > 2 * this.#limitBytes) this.#cut();
  }

  /** The text, in UTF-8 that Postgres takes: what is none is replaced, NUL is left out. */
  text(): string {
    this.#cut();
    const all = Buffer.concat(this.#chunks);
    const text = (this.#isCut ? all.subarray(startOfLine(all)) : all).toString('utf8').replaceAll('\0', '');
    // Replacement characters take more bytes than what they stand for.
    let kept = text;
    while (Buffer.byteLength(kept) > this.#limitBytes) {
      const lineEnd = kept.indexOf('\n');
      kept =
        lineEnd === -1 || lineEnd === kept.length - 1
          ? endOf(kept, this.#limitBytes)
          : kept.slice(lineEnd + 1);
    }
    return kept;
  }

  #cut(): void {
    if (this.#sizeBytes <= this.#limitBytes) return;
    const all = Buffer.concat(this.#chunks);
    // One byte more than may stay: it says whether the first line is whole.
    const kept = Buffer.from(all.subarray(all.length - this.#limitBytes - 1));
    this.#chunks = [kept];
    this.#sizeBytes = kept.length;
    this.#isCut = true;
  }
}

/** Where the first whole line begins; with one line alone, where its first whole character does. */
function startOfLine(bytes: Buffer): number {
  const lineEnd = bytes.indexOf(NEWLINE);
  if (lineEnd !== -1 && lineEnd < bytes.length - 1) return lineEnd + 1;
  let start = 1;
  while (start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start++;
  return start;
}

function endOf(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text);
  const kept = bytes.subarray(bytes.length - limitBytes);
  let start = 0;
  while (start < kept.length && ((kept[start] as number) & 0xc0) === 0x80) start++;
  return kept.subarray(start).toString('utf8');
}
