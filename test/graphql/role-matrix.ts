import type { RoleCell } from './role-cell.ts';
import { READS } from './role-matrix-reads.ts';
import { WRITES } from './role-matrix-writes.ts';

/** For each root field: who may, and a document. A new field fails the first test until it is here. */
export const MATRIX: Readonly<Record<string, RoleCell>> = { ...READS, ...WRITES };
