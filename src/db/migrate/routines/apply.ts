import type { ClientBase } from 'pg';
import { toError } from '../../../core/errors.ts';
import { sqlState } from '../../retryable.ts';
import type { RoleNames } from '../../roles.ts';
import { dropDependents, dropNamed, foreignCallers, restoreCallers } from './drop.ts';
import { keyOf } from './order.ts';
import { type AppliedRoutine, compareRoutines } from './plan.ts';
import { appliedRoutines, readDefinitions } from './read.ts';
import type { RoutineFile } from './routine-file.ts';
import { asOwner, type RoutineSession } from './session.ts';
import { FORGET_ROUTINE, FUNCTIONS_NAMED, RECORD_ROUTINES, SET_SEARCH_PATH, UNCALLABLE } from './sql.ts';

export interface AppliedRoutines {
  /** Paths. */
  readonly applied: readonly string[];
  /** Kind and name. */
  readonly dropped: readonly string[];
}

/**
 * A routine that CREATE OR REPLACE cannot turn into what its file says: it is dropped and recreated, with all
 * that depends on it.
 */
export class NotReplaceable extends Error {
  readonly file: RoutineFile;

  constructor(file: RoutineFile, cause: unknown) {
    super(`${file.path}: ${toError(cause).message}`, { cause });
    this.file = file;
  }
}

/**
 * Another result type, other columns of a view, a call that two overloads answer, something that depends on
 * what is dropped.
 */
const NOT_REPLACEABLE = new Set(['42P13', '42P16', '42725', '2BP01']);

/**
 * Applies in the open transaction whatever routine is new, changed or edited, drops those whose file is gone,
 * and writes it all down. Nothing is touched that is as it should be, so that no table is locked for it.
 * @param again those to drop first
 * @throws NotReplaceable · Error with the file's path for what the file itself fails with; whatever says that
 *   a lock was unavailable
 */
export async function applyRoutines(
  client: ClientBase,
  files: readonly RoutineFile[],
  roles: RoleNames,
  again: ReadonlySet<RoutineFile> = new Set(),
): Promise<AppliedRoutines> {
  await client.query(SET_SEARCH_PATH, [true]);
  const { pending, edited, gone } = compareRoutines(
    files,
    await appliedRoutines(client),
    await readDefinitions(client),
  );
  const wanted = new Set([...pending, ...edited, ...again]);
  if (wanted.size + gone.length === 0) return { applied: [], dropped: [] };
  const session: RoutineSession = { client, roles };
  const callers = await foreignCallers(session);
  for (const file of await dropDependents(session, files, again)) wanted.add(file);
  // A view that was recreated has no rights before they are given again.
  if ([...wanted].some(({ kind }) => kind === 'view')) {
    for (const file of files) if (file.kind === 'policies') wanted.add(file);
  }
  const applied = files.filter((file) => wanted.has(file));
  for (const file of applied) await applyOne(session, file);
  await dropGone(session, gone);
  await restoreCallers(session, callers);
  await record(client, applied);
  return { applied: applied.map(({ path }) => path), dropped: gone.map(keyOf) };
}

async function applyOne(session: RoutineSession, file: RoutineFile): Promise<void> {
  const { client, roles } = session;
  const before = await functionsNamed(client, file);
  for (const { owner } of before) {
    if ((owner === roles.worker) !== file.isOwnedByWorker) {
      throw new NotReplaceable(file, new Error('its owner has changed'));
    }
  }
  try {
    await asOwner(session, file.isOwnedByWorker ? roles.worker : null, async () => {
      // With overloads about, the name alone does not say which is meant.
      if (before.length === 1) await client.query(defaultRightsSql(file.name, before[0]?.owner, roles));
      const run = () => client.query(withRoles(file.sql, roles));
      await (file.kind === 'trigger' ? withTriggerFunction(session, file.sql, run) : run());
    });
  } catch (error) {
    if (NOT_REPLACEABLE.has(sqlState(error) ?? '')) throw new NotReplaceable(file, error);
    throw Object.assign(new Error(`${file.path}: ${toError(error).message}`, { cause: error }), {
      code: sqlState(error),
    });
  }
  if ((await functionsNamed(client, file)).length > 1) {
    throw new NotReplaceable(file, new Error('its parameters have changed'));
  }
}

interface FunctionRow {
  readonly owner: string;
}

async function functionsNamed(
  client: ClientBase,
  { kind, name }: RoutineFile,
): Promise<readonly FunctionRow[]> {
  if (kind !== 'function') return [];
  return (await client.query<FunctionRow>(FUNCTIONS_NAMED, [name])).rows;
}

async function withTriggerFunction(
  session: RoutineSession,
  sql: string,
  run: () => Promise<unknown>,
): Promise<void> {
  const name = /execute function millrace\.(\w+)/.exec(sql)?.[1];
  const { rows } = await session.client.query<{ owner: string; login: string }>(UNCALLABLE, [name]);
  const right = (what: string) =>
    rows[0] === undefined
      ? undefined
      : asOwner(session, rows[0].owner, () => session.client.query(`${what} ${rows[0]?.login}`));
  await right(`grant execute on function millrace.${name} to`);
  await run();
  await right(`revoke execute on function millrace.${name} from`);
}

/**
 * As of a function that was just made: its file says what differs, and nothing is left of what an earlier
 * file said.
 */
function defaultRightsSql(name: string, owner: string | undefined, roles: RoleNames): string {
  const others = ['public', ...Object.values(roles).filter((role) => role !== owner)];
  return `revoke all on function millrace.${name} from ${others.join(', ')};
          grant execute on function millrace.${name} to public`;
}

/**
 * `:"api"`, `:"worker"` and `:"admin"` are the roles' names, `:'api'` and so on the same as texts, as psql
 * writes variables.
 */
function withRoles(sql: string, roles: RoleNames): string {
  return sql.replace(
    /:(["'])(api|worker|admin)\1/g,
    (_, quote: string, role: keyof RoleNames) => `${quote}${roles[role]}${quote}`,
  );
}

async function dropGone(session: RoutineSession, gone: readonly AppliedRoutine[]): Promise<void> {
  const { client } = session;
  await dropNamed(session, gone);
  for (const { kind, name } of gone) await client.query(FORGET_ROUTINE, [kind, name]);
}

async function record(client: ClientBase, applied: readonly RoutineFile[]): Promise<void> {
  const definitions = await readDefinitions(client);
  const made = applied.map((file) => {
    const definition = definitions.get(keyOf(file));
    if (definition === undefined) {
      throw new Error(`${file.path} made no ${file.kind} millrace.${file.name}`);
    }
    return definition;
  });
  await client.query(RECORD_ROUTINES, [
    applied.map(({ kind }) => kind),
    applied.map(({ name }) => name),
    applied.map(({ path }) => path),
    applied.map(({ checksum }) => checksum),
    made,
  ]);
}
