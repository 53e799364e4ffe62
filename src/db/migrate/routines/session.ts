import type { ClientBase } from 'pg';
import type { RoleNames } from '../../roles.ts';

/** A transaction of the migration runner. */
export interface RoutineSession {
  readonly client: ClientBase;
  readonly roles: RoleNames;
}

/**
 * Works as the role that owns what is changed. The login may become the worker role, but has none of its
 * rights by itself; and that role may make something in the schema only for as long as it takes.
 * @param role null for the login
 */
export async function asOwner<T>(
  { client, roles }: RoutineSession,
  role: string | null,
  work: () => Promise<T>,
): Promise<T> {
  if (role !== roles.worker) return work();
  const { rows } = await client.query<{ role: string }>(`select current_setting('role') as role`);
  await client.query(`grant create on schema millrace to "${role}"; set local role "${role}"`);
  // After an error the transaction is rolled back, and all of this with it.
  const result = await work();
  await client.query(`select set_config('role', $1, true)`, [rows[0]?.role ?? 'none']);
  await client.query(`revoke create on schema millrace from "${role}"`);
  return result;
}
