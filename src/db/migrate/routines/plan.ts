import { keyOf } from './order.ts';
import type { RoutineFile } from './routine-file.ts';

/** A row of the bookkeeping. */
export interface AppliedRoutine {
  readonly kind: RoutineFile['kind'];
  readonly name: string;
  readonly path: string;
  readonly checksum: string;
  readonly definition: string;
}

/** How the routines of this version and those of a database compare, by path. */
export interface RoutineComparison {
  /** Never applied, or from a file that has changed since. */
  readonly pending: readonly RoutineFile[];
  /** Applied as the file is, but changed or dropped in the database since. */
  readonly edited: readonly RoutineFile[];
  /** Applied once, and no file of this version any more. */
  readonly gone: readonly AppliedRoutine[];
}

/**
 * @param definitions what the database holds, hashed, by key
 */
export function compareRoutines(
  files: readonly RoutineFile[],
  applied: readonly AppliedRoutine[],
  definitions: ReadonlyMap<string, string>,
): RoutineComparison {
  const rows = new Map(applied.map((row) => [keyOf(row), row]));
  const isCurrent = (file: RoutineFile) => rows.get(keyOf(file))?.checksum === file.checksum;
  const isAsApplied = (file: RoutineFile) =>
    rows.get(keyOf(file))?.definition === definitions.get(keyOf(file));
  const names = new Set(files.map(keyOf));
  return {
    pending: files.filter((file) => !isCurrent(file)),
    edited: files.filter((file) => isCurrent(file) && !isAsApplied(file)),
    gone: applied.filter((row) => !names.has(keyOf(row))),
  };
}
