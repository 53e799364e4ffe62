import { keyOf } from './order.ts';
import type { RoutineFile } from './routine-file.ts';
import { asOwner, type RoutineSession } from './session.ts';
import { DEPENDENTS, DROPS, FOREIGN_CALLERS } from './sql.ts';

/** Drops these, which may depend on each other, and nothing else. */
export async function dropNamed(
  session: RoutineSession,
  named: readonly Pick<RoutineFile, 'kind' | 'name'>[],
): Promise<void> {
  for (const kind of ['trigger', 'view', 'function'] as const) {
    const names = named.filter((one) => one.kind === kind).map(({ name }) => name);
    await dropObjects(session, DROPS, [kind, names]);
  }
}

/** Drops what a query of `drop` statements with their owners names. */
async function dropObjects(
  session: RoutineSession,
  query: string,
  values: readonly unknown[],
): Promise<void> {
  const { rows } = await session.client.query<{ drop: string; owner: string }>(query, [...values]);
  for (const { drop, owner } of rows) await asOwner(session, owner, () => session.client.query(drop));
}

/**
 * Drops routines and all others of ours that depend on them, the last first. What is not ours and depends on
 * them stops it.
 * @returns the files to apply again
 */
export async function dropDependents(
  session: RoutineSession,
  files: readonly RoutineFile[],
  roots: ReadonlySet<RoutineFile>,
): Promise<readonly RoutineFile[]> {
  const known = new Map(files.map((file) => [keyOf(file), file]));
  const keys = new Set<string>();
  for (const root of roots) {
    keys.add(keyOf(root));
    if (root.kind === 'trigger' || root.kind === 'policies') continue;
    const { rows } = await session.client.query<{ key: string }>(DEPENDENTS, [root.kind, root.name]);
    for (const { key } of rows) if (known.has(key)) keys.add(key);
  }
  const places = new Map([...known.keys()].map((key, place) => [key, place]));
  const lastFirst = [...keys].sort((a, b) => (places.get(b) ?? 0) - (places.get(a) ?? 0));
  for (const key of lastFirst) {
    const [kind, name] = key.split(' ');
    await dropObjects(session, DROPS, [kind, [name]]);
  }
  return lastFirst.flatMap((key) => known.get(key) ?? []);
}

interface Caller {
  readonly name: string;
  readonly role: string;
}

/** Who of other programs may call which function. */
export async function foreignCallers({ client, roles }: RoutineSession): Promise<readonly Caller[]> {
  return (await client.query<Caller>(FOREIGN_CALLERS, [Object.values(roles)])).rows;
}

/**
 * Gives functions that were made again back to them. A function that is gone, or whose right is still there,
 * is passed by.
 */
export async function restoreCallers(session: RoutineSession, before: readonly Caller[]): Promise<void> {
  const isSame = (a: Caller) => (b: Caller) => a.name === b.name && a.role === b.role;
  const now = await foreignCallers(session);
  for (const caller of before.filter((one) => !now.some(isSame(one)))) {
    const { rows } = await session.client.query<{ owner: string }>(
      `select pg_get_userbyid(p.proowner)::text as owner from pg_proc p
        where p.pronamespace = to_regnamespace('millrace') and p.proname = $1`,
      [caller.name],
    );
    const owner = rows[0]?.owner;
    if (owner === undefined) continue;
    await asOwner(session, owner, () =>
      session.client.query(`grant execute on function millrace.${caller.name} to ${caller.role}`),
    );
  }
}
