import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { inOrder } from './order.ts';

/** `policies`: the one file of row security and rights. */
export type RoutineKind = 'function' | 'view' | 'trigger' | 'policies';

/** A function, view or trigger as it lies on disk, or the policies. */
export interface RoutineFile {
  readonly kind: RoutineKind;
  /** Its name in the schema `millrace`: the file's own, without its endings. */
  readonly name: string;
  /** From the folder on: `claim/claim_jobs.sql`. */
  readonly path: string;
  /** With the roles' names still to be put in, see `withRoles`. */
  readonly sql: string;
  /** SHA-256 of the file, in lower-case hex. */
  readonly checksum: string;
  /** Whether it belongs to the worker role, and not to the login. */
  readonly isOwnedByWorker: boolean;
  /** Names of those that must be there before it. */
  readonly needs: readonly string[];
}

/** The routines that ship with Millrace. */
export const ROUTINES_URL = new URL('../../../../prisma/routines/', import.meta.url);

const FILE_NAME = /^(?<name>[a-z0-9_]+)(?:\.(?<kind>view|trigger|policy))?\.sql$/;

/**
 * Reads the routines of a folder, in the order in which they are applied.
 * @throws Error for a file that is not named as routines are, for a name that two have, for needs that nobody meets or that go in a circle
 */
export async function readRoutines(folder: URL = ROUTINES_URL): Promise<readonly RoutineFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').split('/').slice(-2).join('/'))
    .sort();
  return inOrder(
    await Promise.all(paths.map(async (path) => routineOf(path, await readFile(new URL(path, folder))))),
  );
}

function routineOf(path: string, content: Buffer): RoutineFile {
  const found = FILE_NAME.exec(path.slice(path.indexOf('/') + 1))?.groups;
  if (found === undefined) {
    throw new Error(
      `prisma/routines/${path}: expected <topic>/<name>.sql, .view.sql, .trigger.sql or .policy.sql`,
    );
  }
  const sql = content.toString('utf8');
  const kind = found['kind'] ?? 'function';
  return {
    path,
    sql,
    name: found['name'] as string,
    kind: kind === 'policy' ? 'policies' : (kind as RoutineKind),
    checksum: createHash('sha256').update(content).digest('hex'),
    isOwnedByWorker: headerOf(sql, 'owner') === 'worker',
    needs: headerOf(sql, 'needs')?.split(/,\s*/) ?? [],
  };
}

/** Headers are comments before anything else: `-- owner: worker`, `-- needs: first_function, second_function`. */
function headerOf(sql: string, name: string): string | undefined {
  for (const line of sql.split('\n')) {
    const header = /^-- (?<key>owner|needs): (?<value>.+)$/.exec(line)?.groups;
    if (header === undefined) return undefined;
    if (header['key'] === name) return header['value']?.trim();
  }
  return undefined;
}
