import type { ClientBase } from 'pg';
import { sqlState } from '../../retryable.ts';
import { keyOf } from './order.ts';
import type { AppliedRoutine } from './plan.ts';
import { APPLIED_ROUTINES, DEFINITIONS } from './sql.ts';

/** What the bookkeeping says; none where nobody has ever applied any. */
export async function appliedRoutines(client: ClientBase): Promise<readonly AppliedRoutine[]> {
  try {
    return (await client.query<AppliedRoutine>(APPLIED_ROUTINES)).rows;
  } catch (error) {
    // undefined_table
    if (sqlState(error) === '42P01') return [];
    throw error;
  }
}

/** What the database holds, hashed, by key. The session's search_path must be the fixed one. */
export async function readDefinitions(client: ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<Pick<AppliedRoutine, 'kind' | 'name' | 'definition'>>(DEFINITIONS);
  return new Map(rows.map((row) => [keyOf(row), row.definition]));
}
