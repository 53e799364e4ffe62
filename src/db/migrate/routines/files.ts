import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { inOrder } from './order.ts';
import type { RoutineFile, RoutineKind } from './routine-file.ts';

/** The routines that ship with Millrace. */
export const ROUTINES_URL = new URL('../../../../prisma/routines/', import.meta.url);

const FILE_NAME = /^(?<name>[a-z0-9_]+)(?:\.(?<kind>view|trigger|policy))?\.sql$/;

/**
 * Reads the routines of a folder, in the order in which they are applied.
 * @throws Error for a file that is not named as routines are, for a name that two have, for needs that nobody
 *   meets or that go in a circle
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

/**
 * Headers are comments before anything else: `-- owner: worker`, `-- needs: first_function, second_function`.
 */
function headerOf(sql: string, name: string): string | undefined {
  for (const line of sql.split('\n')) {
    const header = /^-- (?<key>owner|needs): (?<value>.+)$/.exec(line)?.groups;
    if (header === undefined) return undefined;
    if (header['key'] === name) return header['value']?.trim();
  }
  return undefined;
}
