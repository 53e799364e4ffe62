const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
const START_OF_SCAN = 0xda;
/** A picture of 3840 × 3840 pixels of noise has less. */
const MAX_JPEG_BYTES = 64 * 1024 * 1024;

/**
 * Cuts a stream of JPEGs, one behind the other, into pictures. The end of one is looked for behind its
 * headers, which may contain any bytes; in the coded picture itself the mark of the end cannot occur.
 */
export class JpegSplitter {
  readonly #onJpeg: (jpeg: Buffer) => void;
  #chunks: Buffer[] = [];
  #sizeBytes = 0;
  /** Where the coded picture begins; null while not all headers are there. */
  #scanStart: number | null = null;
  #searchedBytes = 0;

  constructor(onJpeg: (jpeg: Buffer) => void) {
    this.#onJpeg = onJpeg;
  }

  /** @throws RangeError when it is no JPEG, or a picture does not end */
  write(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
    if (this.#scanStart !== null && !this.#mayHoldEnd(chunk)) {
      if (this.#sizeBytes > MAX_JPEG_BYTES) throw new RangeError('A JPEG does not end');
      return;
    }
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#sizeBytes);
    for (;;) {
      this.#scanStart ??= scanStart(rest);
      if (this.#scanStart === null) break;
      const end = rest.indexOf(END_OF_IMAGE, Math.max(this.#scanStart, this.#searchedBytes - 1));
      this.#searchedBytes = rest.length;
      if (end < 0) break;
      // No copy: what is beside it in memory is the beginning of the next one at most, or as small as it.
      this.#onJpeg(rest.subarray(0, end + END_OF_IMAGE.length));
      rest = rest.subarray(end + END_OF_IMAGE.length);
      this.#scanStart = null;
      this.#searchedBytes = 0;
    }
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#sizeBytes = rest.length;
  }

  /** Pieces of a large picture are joined once, when its end is there; the mark may lie across two pieces. */
  #mayHoldEnd(chunk: Buffer): boolean {
    const before = this.#chunks.at(-2);
    const across = before?.at(-1) === END_OF_IMAGE[0] && chunk[0] === END_OF_IMAGE[1];
    return across || chunk.includes(END_OF_IMAGE);
  }
}

/** Where the coded picture begins, behind the headers; null when they are not all there. */
function scanStart(bytes: Buffer): number | null {
  if (bytes.length >= 2 && bytes.readUInt16BE(0) !== 0xffd8) throw new RangeError('This is no JPEG');
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw new RangeError('This is no JPEG');
    const next = at + 2 + bytes.readUInt16BE(at + 2);
    if (bytes[at + 1] === START_OF_SCAN) return next <= bytes.length ? next : null;
    at = next;
  }
  return null;
}
