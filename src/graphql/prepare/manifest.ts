import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DomainError, toError } from '../../core/errors.ts';
import { parseJson } from '../../core/parse-json.ts';

/** Operations that are known beforehand, by their ids. */
export interface Manifest {
  readonly byId: ReadonlyMap<string, string>;
  /** SHA-256 of each text: a registered operation is one also when its whole text comes. */
  readonly hashes: ReadonlySet<string>;
}

const FORMS = '{ "<id>": "<document>" }, or a manifest of format apollo-persisted-query-manifest, version 1';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Nothing registered. */
export const NO_MANIFEST: Manifest = { byId: new Map(), hashes: new Set() };

/**
 * Reads the file of registered operations. An id that has the form of a SHA-256 must be that of its document.
 * @throws DomainError `ConfigInvalid` that names what is wrong with the file
 */
export async function loadManifest(path: string | null): Promise<Manifest> {
  if (path === null) return NO_MANIFEST;
  let content: unknown;
  try {
    content = parseJson(await readFile(path, 'utf8'));
  } catch (error) {
    throw invalid(path, `cannot be read: ${toError(error).message}`, error);
  }
  return manifestOf(content, path);
}

/** @throws DomainError `ConfigInvalid` */
export function manifestOf(content: unknown, path: string): Manifest {
  const byId = new Map<string, string>();
  const hashes = new Set<string>();
  for (const [id, document] of entriesOf(content, path)) {
    if (id === '' || typeof document !== 'string' || document === '')
      throw invalid(path, `has no document under ${JSON.stringify(id.slice(0, 100))}`);
    const hash = sha256(document);
    if (/^[0-9a-f]{64}$/.test(id) && id !== hash)
      throw invalid(path, `has under ${id} a document whose SHA-256 is ${hash}`);
    byId.set(id, document);
    byId.set(hash, document);
    hashes.add(hash);
  }
  return { byId, hashes };
}

function entriesOf(content: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw invalid(path, 'is no JSON object');
  const { format, version, operations } = content as Record<string, unknown>;
  if (format === undefined) return Object.entries(content);
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations))
    throw invalid(path, `has format ${JSON.stringify(format)}, version ${JSON.stringify(version)}`);
  return operations.map((operation) => {
    const { id, body } = (operation ?? {}) as Record<string, unknown>;
    return [typeof id === 'string' ? id : '', body] as const;
  });
}

function invalid(path: string, problem: string, cause?: unknown): DomainError {
  return new DomainError(
    'ConfigInvalid',
    `MILLRACE_PERSISTED_OPERATIONS: ${path} ${problem}; allowed: ${FORMS}`,
    { field: 'MILLRACE_PERSISTED_OPERATIONS', allowed: FORMS },
    cause,
  );
}
