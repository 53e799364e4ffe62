import { GraphQLError } from 'graphql';
import type { Config } from '../../config/config.ts';
import { type Manifest, sha256 } from './manifest.ts';
import type { OperationRequest } from './request.ts';

export type PersistedSettings = Pick<Config, 'automaticPersisted' | 'persistedOnly'>;

const MAX_AUTOMATIC_BYTES = 8 * 1024 * 1024;

/**
 * The text of each operation, whether it came as text or by an id. Registered ones come from the manifest;
 * automatic ones are kept when a client sends text and hash together, in this process's memory, until others
 * push them out. Only registered ones are good for callers who may run no others.
 */
export class PersistedOperations {
  readonly #manifest: Manifest;
  readonly #settings: PersistedSettings;
  readonly #automatic = new Map<string, string>();
  #automaticBytes = 0;

  constructor(manifest: Manifest, settings: PersistedSettings) {
    this.#manifest = manifest;
    this.#settings = settings;
  }

  /** @throws GraphQLError with a code that clients of persisted operations know */
  textOf(request: OperationRequest, isPersistedOnly: boolean): string {
    const { query, id, hash } = request;
    const isStrict = isPersistedOnly || this.#settings.persistedOnly;
    if (query !== null) {
      if (hash !== null && sha256(query) !== hash)
        throw refused('PERSISTED_QUERY_HASH_MISMATCH', 'The hash is not the SHA-256 of the text');
      if (id !== null && this.#manifest.byId.get(id) !== query)
        throw refused('PERSISTED_QUERY_HASH_MISMATCH', 'The text is not what is registered under the id');
      if (isStrict && !this.#manifest.hashes.has(hash ?? sha256(query))) throw persistedOnly();
      return query;
    }
    const text = this.#find(id ?? hash ?? '', isStrict);
    if (text !== undefined) return text;
    if (isStrict || id !== null || this.#settings.automaticPersisted)
      // The words that Apollo's clients and urql look for, whereupon they send the text.
      throw refused('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    throw refused('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  }

  /** Keeps a text that came with its hash, once it is known to be valid. */
  remember({ query, hash }: OperationRequest): void {
    if (query === null || hash === null || !this.#settings.automaticPersisted) return;
    if (this.#automatic.has(hash) || query.length > MAX_AUTOMATIC_BYTES / 100) return;
    this.#automatic.set(hash, query);
    this.#automaticBytes += 2 * query.length;
    for (const [oldest, text] of this.#automatic) {
      if (this.#automaticBytes <= MAX_AUTOMATIC_BYTES) break;
      this.#automatic.delete(oldest);
      this.#automaticBytes -= 2 * text.length;
    }
  }

  #find(id: string, isStrict: boolean): string | undefined {
    return this.#manifest.byId.get(id) ?? (isStrict ? undefined : this.#recent(id));
  }

  #recent(hash: string): string | undefined {
    const text = this.#automatic.get(hash);
    if (text === undefined) return undefined;
    this.#automatic.delete(hash);
    this.#automatic.set(hash, text);
    return text;
  }
}

function persistedOnly(): GraphQLError {
  return refused(
    'PERSISTED_ONLY',
    'Only registered operations are run for this caller; send the id of one (`documentId`, or `extensions.persistedQuery`)',
  );
}

function refused(code: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code } });
}
