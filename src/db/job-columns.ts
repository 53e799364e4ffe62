import { Prisma } from '../generated/prisma/client.ts';
import type { JobRow } from './prisma.ts';

/** Large, secret, or the claim's own: read by statements of their own, or by nobody. */
const LEFT_OUT: ReadonlySet<string> = new Set<Exclude<keyof typeof Prisma.JobScalarFieldEnum, keyof JobRow>>([
  'payload',
  'result',
  'leaseToken',
  'isDelayed',
]);

/** The columns of a job's row `j` that make a `JobRow`, under its names. */
export const JOB_COLUMNS = Object.keys(Prisma.JobScalarFieldEnum)
  .filter((field) => !LEFT_OUT.has(field))
  .map((field) => `${expressionOf(field)} as "${field}"`)
  .join(', ');

/** The column; a job without tags has none where Prisma reads an empty list. */
function expressionOf(field: string): string {
  const column = `j.${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return field === 'tags' ? `coalesce(${column}, '{}')` : column;
}
