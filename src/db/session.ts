import type { ClientBase, QueryResult } from 'pg';
import { DomainError } from '../core/errors.ts';
import { sqlState } from './retryable.ts';
import { BASE_SETTINGS, type SessionSettings, settingColumns } from './session-settings.ts';

/**
 * This server is a standby: reads of it are late, writes are refused. A primary is awaited as after a lost
 * connection.
 */
export class StandbyServer extends Error {
  /** What Postgres answers to a write there. */
  readonly code = '25006';

  constructor() {
    super('This server is a standby, or was demoted to one; a primary is needed');
    this.name = 'StandbyServer';
  }
}

interface SessionRow {
  readonly in_recovery: boolean;
  readonly replication_role: string;
}

/**
 * Sets what our statements rely on for the whole session, in one round trip, and makes sure that the server
 * takes writes.
 * @param settings in place of some of the base, or beside them
 * @throws StandbyServer · DomainError `DatabaseUnsupported` when triggers are off for this login and it may
 *   not turn them on
 */
export async function openSession(client: ClientBase, settings: SessionSettings = {}): Promise<void> {
  const all = { ...BASE_SETTINGS, ...settings };
  const row = await apply(client, all).catch(async (error: unknown) => {
    // An older server, which can at least be asked for its version.
    if (sqlState(error) !== UNKNOWN_SETTING) throw error;
    return apply(client, await known(client, all));
  });
  if (row?.in_recovery === true) throw new StandbyServer();
  if (row?.replication_role !== 'origin') await turnTriggersOn(client, settings['role'] ?? 'none');
}

const UNKNOWN_SETTING = '42704';

async function apply(client: ClientBase, settings: SessionSettings): Promise<SessionRow | undefined> {
  const { rows } = await client.query<SessionRow>(
    `/* open_session */ select pg_is_in_recovery() as in_recovery, current_setting('session_replication_role') as replication_role, ${settingColumns(settings, false)}`,
  );
  return rows[0];
}

/** Those that this server has, and those of our own. */
async function known(client: ClientBase, settings: SessionSettings): Promise<SessionSettings> {
  const { rows } = await client.query<{ name: string }>('select lower(name) as name from pg_settings');
  const names = new Set(rows.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name]) => names.has(name.toLowerCase()) || name.includes('.') || name === 'role',
    ),
  );
}

/** Triggers keep lists, stamps and limits: without them jobs would be missing from lists and feeds. */
async function turnTriggersOn(client: ClientBase, role: string): Promise<void> {
  try {
    await client.query(
      `set role none; set session_replication_role = origin; select set_config('role', '${role}', false)`,
    );
  } catch (error) {
    if (sqlState(error) !== '42501') throw error;
    throw new DomainError(
      'DatabaseUnsupported',
      'session_replication_role is not `origin` for this login: triggers are off, and it may not turn them on',
      {
        field: 'session_replication_role',
        allowed:
          'alter database … reset session_replication_role; alter role … reset session_replication_role',
      },
      error,
    );
  }
}

/** Before the role is taken: the login may have the right. */
const ORIGIN = `case when current_setting('session_replication_role') <> 'origin'
  then set_config('session_replication_role', 'origin', true) end`;

/**
 * The base settings for one transaction, with others, as columns of the SELECT that follows its BEGIN behind
 * a pooler.
 */
export function transactionColumns(settings: SessionSettings): string {
  const { exit_on_error: _, ...base } = BASE_SETTINGS;
  return `pg_is_in_recovery() as in_recovery, ${ORIGIN}, ${settingColumns({ ...base, ...settings }, true)}`;
}

/**
 * A standby refuses BEGIN READ WRITE with an error of its own, which says so in the server's language only.
 */
export function orStandby(error: unknown): unknown {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'check_transaction_read_only' ? new StandbyServer() : error;
}

/**
 * Judges the answer to BEGIN and that SELECT, sent as one.
 * @throws StandbyServer
 */
export function refuseStandby(answer: QueryResult | readonly QueryResult[]): void {
  const results: readonly QueryResult[] = Array.isArray(answer) ? answer : [answer as QueryResult];
  if (results.some(({ rows }) => rows[0]?.in_recovery === true)) throw new StandbyServer();
}
