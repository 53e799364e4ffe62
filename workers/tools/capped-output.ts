/**
 * Keeps the first and the last half of a program's output within a limit: the head says what it set out to
 * do, the tail why it died; what is between may be gigabytes.
 */
export class CappedOutput {
  readonly #headLimitBytes: number;
  readonly #tailLimitBytes: number;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #totalBytes = 0;

  /** @param limitBytes how much is kept at most */
  constructor(limitBytes: number) {
    this.#headLimitBytes = Math.ceil(limitBytes / 2);
    this.#tailLimitBytes = Math.floor(limitBytes / 2);
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Bytes between head and tail that were dropped. */
  get omittedBytes(): number {
    return Math.max(0, this.#totalBytes - this.#headLimitBytes - this.#tailLimitBytes);
  }

  write(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    const headRoom = this.#headLimitBytes - this.#headBytes;
    if (headRoom > 0) {
      const part = chunk.subarray(0, headRoom);
      this.#head.push(part);
      this.#headBytes += part.length;
      if (part.length === chunk.length) return;
    }
    const rest = headRoom > 0 ? chunk.subarray(headRoom) : chunk;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Twice the limit before cutting, so that each byte is copied about once however small the chunks are.
    if (this.#tailBytes > 2 * this.#tailLimitBytes) this.#cutTail();
  }

  /** The text, with a note of how much was left out in the middle, if anything was. */
  text(): string {
    this.#cutTail();
    const head = Buffer.concat(this.#head);
    if (this.omittedBytes === 0) return Buffer.concat([head, ...this.#tail]).toString('utf8');
    return `${head.toString('utf8')}\n[... ${this.omittedBytes} bytes left out ...]\n${Buffer.concat(this.#tail).toString('utf8')}`;
  }

  #cutTail(): void {
    if (this.#tailBytes <= this.#tailLimitBytes) return;
    const all = Buffer.concat(this.#tail);
    const kept = Buffer.from(all.subarray(all.length - this.#tailLimitBytes));
    this.#tail = [kept];
    this.#tailBytes = kept.length;
  }
}
