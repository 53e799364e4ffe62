import { type Reach, reachesJob } from '../../core/reach.ts';
import type { JobRow } from '../../db/prisma.ts';
import type { Access, RowCheck } from './access-types.ts';

/**
 * Types of which a row may be out of reach. The loaders leave such rows out already; this is for whatever
 * comes by another way. What is read from the value of the parent costs no statement.
 */
export const ROW_CHECKS: Readonly<Record<string, RowCheck>> = {
  Job: (reach, row) => reachesJob(reach, row as JobRow),
};

/** Whether a value of a type is within reach. */
export function isRowWithin(access: Access, reach: Reach, typeName: string, row: unknown): boolean {
  return access.rowChecks[typeName]?.(reach, row) ?? true;
}
