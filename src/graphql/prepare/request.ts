import { GraphQLError } from 'graphql';

/** What a client sends, on any transport, before anything of it is believed. */
export interface RawRequest {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

/** The same, with everything of its type. One of `query`, `id` and `hash` is there. */
export interface OperationRequest {
  readonly query: string | null;
  /** `documentId`, without a leading `sha256:`. */
  readonly id: string | null;
  /** `extensions.persistedQuery.sha256Hash`. */
  readonly hash: string | null;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  /** `extensions.showCost`. */
  readonly showsCost: boolean;
}

const MAX_ID_LENGTH = 255;

/** @throws GraphQLError `BAD_REQUEST` naming the parameter */
export function requestOf(raw: RawRequest): OperationRequest {
  // The socket's protocol wants a text in any case: an empty one says that there is none.
  const query = textOf('query', raw.query === '' ? null : raw.query);
  const extensions = objectOf('extensions', raw.extensions);
  const persisted = objectOf('extensions.persistedQuery', extensions['persistedQuery']);
  const hash = textOf('extensions.persistedQuery.sha256Hash', persisted['sha256Hash']);
  if (hash !== null && !/^[0-9a-f]{64}$/i.test(hash))
    throw bad('extensions.persistedQuery.sha256Hash', '64 hexadecimal digits');
  const id = textOf('documentId', raw.documentId)?.replace(/^sha256:/, '') ?? null;
  if (id !== null && id.length > MAX_ID_LENGTH)
    throw bad('documentId', `at most ${MAX_ID_LENGTH} characters`);
  const showCost = extensions['showCost'] ?? false;
  if (typeof showCost !== 'boolean') throw bad('extensions.showCost', 'true or false');
  if (query === null && id === null && hash === null)
    throw bad(
      'query',
      'a document, or the id of a persisted one (`documentId`, `extensions.persistedQuery`)',
    );
  return {
    query,
    id,
    hash: hash?.toLowerCase() ?? null,
    operationName: textOf('operationName', raw.operationName),
    variables: objectOf('variables', raw.variables),
    showsCost: showCost,
  };
}

function textOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw bad(name, 'text');
  return value;
}

function objectOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw bad(name, 'an object');
  return value as Record<string, unknown>;
}

function bad(field: string, allowed: string): GraphQLError {
  return new GraphQLError(
    `\`${field}\` of the request is missing or of the wrong type; allowed: ${allowed}`,
    {
      extensions: { code: 'BAD_REQUEST', field, allowed },
    },
  );
}
