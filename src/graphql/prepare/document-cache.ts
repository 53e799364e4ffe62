import type { DocumentNode } from 'graphql';

/** A document that has been parsed, measured and validated. */
export interface CheckedDocument {
  readonly text: string;
  readonly document: DocumentNode;
  /** Asks for `__schema` or `__type` somewhere. */
  readonly introspects: boolean;
}

const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Bytes of memory that one token of a parsed document takes with its node and its place [measured: 150 to
 * 350].
 */
const BYTES_A_TOKEN = 350;

/**
 * Valid documents by their text, the least used ones dropped when they take too much memory. Invalid ones are
 * not kept: they would push out those of honest clients.
 */
export class DocumentCache {
  readonly #maxBytes: number;
  readonly #documents = new Map<string, CheckedDocument>();
  #bytes = 0;

  constructor(maxBytes: number = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#documents.size;
  }

  get(text: string): CheckedDocument | undefined {
    const found = this.#documents.get(text);
    if (found === undefined) return undefined;
    this.#documents.delete(text);
    this.#documents.set(text, found);
    return found;
  }

  add(checked: CheckedDocument): void {
    const bytes = bytesOf(checked);
    // A large literal in a mutation: it will not come a second time.
    if (bytes > this.#maxBytes / 50 || this.#documents.has(checked.text)) return;
    this.#documents.set(checked.text, checked);
    this.#bytes += bytes;
    for (const oldest of this.#documents.values()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#documents.delete(oldest.text);
      this.#bytes -= bytesOf(oldest);
    }
  }
}

function bytesOf({ text, document }: CheckedDocument): number {
  const tokens = (document as { tokenCount?: number }).tokenCount ?? text.length;
  return 2 * text.length + BYTES_A_TOKEN * tokens;
}
