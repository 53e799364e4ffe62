import type pg from 'pg';
import type { RoleNames } from '../../roles.ts';
import { type AppliedRoutines, applyRoutines, NotReplaceable } from './apply.ts';
import type { RoutineFile } from './routine-file.ts';

/**
 * One transaction of `applyRoutines`, again where a routine has to be recreated instead of replaced.
 * @param inTransaction runs work in a transaction that waits for locks as migrations do
 * @throws as `applyRoutines`; what cannot be made again either, with its file's path
 */
export async function bringRoutinesUp(
  client: pg.Client,
  files: readonly RoutineFile[],
  roles: RoleNames,
  inTransaction: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<AppliedRoutines> {
  const again = new Set<RoutineFile>();
  for (;;) {
    try {
      return await inTransaction(() => applyRoutines(client, files, roles, again));
    } catch (error) {
      const file = notReplaceable(error);
      if (file === null || again.has(file)) throw error;
      again.add(file);
    }
  }
}

function notReplaceable(error: unknown): RoutineFile | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NotReplaceable) return cause.file;
  }
  return null;
}
