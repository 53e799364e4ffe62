import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DomainError, toError } from '../../core/errors.ts';
import { classifyError } from '../retryable.ts';
import type { MigrationFile } from './files.ts';
import { splitMigration } from './late-indexes.ts';
import {
  BEGIN_MIGRATION,
  FIND_HOLDERS,
  FINISH_MIGRATION,
  IS_BEGUN,
  RECORD_MIGRATION,
  SET_LOCK_TIMEOUT,
  SET_SESSION_LOCK_TIMEOUT,
} from './sql.ts';

/**
 * A migration that waits for a table has everybody else who wants the table wait behind it. So it gives up
 * after this long, and lets them pass before it tries again.
 */
const LOCK_TIMEOUT_MS = 100;
const MAX_PAUSE_MS = 10_000;
const MAX_WAIT_MS = 600_000;

export interface ApplyOptions {
  readonly log?: (message: string) => void;
  readonly maxWaitMs?: number;
  readonly signal?: AbortSignal;
}

interface HolderRow {
  readonly pid: number;
  readonly login: string | null;
  readonly application_name: string;
  readonly state: string | null;
  readonly seconds: number;
}

/** What a step of the runner is called in logs and errors. */
export interface Step {
  /** `migration 20261203000000_baseline`. */
  readonly title: string;
  /** The error's field. */
  readonly name: string;
}

/**
 * Applies one migration and writes it down, in a transaction; one that builds indexes CONCURRENTLY outside of
 * one. Indexes of tables that are there already are built after the rest of their migration, likewise.
 * @throws as `inRetriedTransaction`
 */
export async function applyWithRetries(
  client: pg.Client,
  migration: MigrationFile,
  options: ApplyOptions,
): Promise<void> {
  const { name, checksum, sql } = migration;
  const step = { title: `migration ${name}`, name };
  if (isConcurrent(migration))
    return retry(client, step, options, () => applyConcurrently(client, migration));
  const { rest, indexes } = splitMigration(sql);
  const isLate = indexes.length > 0;
  const isBegun = isLate && (await client.query(IS_BEGUN, [name, checksum])).rows.length > 0;
  if (!isBegun) {
    await inRetriedTransaction(client, step, options, async () => {
      await client.query(rest);
      await client.query(isLate ? BEGIN_MIGRATION : RECORD_MIGRATION, [randomUUID(), checksum, name]);
    });
  }
  if (!isLate) return;
  await retry(client, step, options, async () => {
    await outsideTransactions(client, indexes);
    await client.query(FINISH_MIGRATION, [name, checksum]);
  });
}

/**
 * Works in a transaction, again and again while others hold what it needs.
 * @throws DomainError `Busy` after `maxWaitMs`, naming who was waited for; the signal's reason; Error with
 *   the step's title for what the work itself fails with; whatever says that the database is away
 */
export function inRetriedTransaction<T>(
  client: pg.Client,
  step: Step,
  options: ApplyOptions,
  work: () => Promise<T>,
): Promise<T> {
  return retry(client, step, options, () => inTransaction(client, work));
}

async function retry<T>(
  client: pg.Client,
  step: Step,
  { log = () => undefined, maxWaitMs = MAX_WAIT_MS, signal }: ApplyOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      const errorClass = classifyError(error);
      if (errorClass === 'reconnect') throw error;
      if (errorClass !== 'busy' && errorClass !== 'retryNow') throw failed(step, error);
      const waited = `${step.title} waits for ${await findHolders(client)}`;
      if (performance.now() - startedMs > maxWaitMs) {
        throw new DomainError('Busy', `${waited}; given up after ${Math.round(maxWaitMs / 1_000)} s`, {
          field: step.name,
          allowed: 'no transaction that is open for long; end it (pg_terminate_backend) and migrate again',
        });
      }
      log(waited);
      await sleep(
        Math.min(MAX_PAUSE_MS, 250 * 2 ** tries),
        undefined,
        signal === undefined ? {} : { signal },
      );
    }
  }
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query(SET_LOCK_TIMEOUT, [`${LOCK_TIMEOUT_MS}ms`]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // Where the connection has broken, the error is what counts.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Indexes of large tables are built and dropped beside the work that goes on, for which Postgres takes no
 * transaction.
 */
function isConcurrent({ sql }: MigrationFile): boolean {
  return /^(create|drop) (unique )?index concurrently /im.test(sql);
}

/**
 * Applies a migration that only builds and drops indexes, statement by statement. One that ended half-way
 * leaves an index that is not valid: such a migration drops what it builds first, where it is there, so that
 * it can be begun again.
 */
async function applyConcurrently(client: pg.Client, migration: MigrationFile): Promise<void> {
  await outsideTransactions(client, statementsOf(migration.sql));
  await client.query(RECORD_MIGRATION, [randomUUID(), migration.checksum, migration.name]);
}

/** They wait for transactions that began before, as long as those take, and nobody waits behind them. */
async function outsideTransactions(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query(SET_SESSION_LOCK_TIMEOUT, ['0']);
  for (const statement of statements) await client.query(statement);
}

/** Such a migration has no function bodies, so no semicolon within a statement. */
function statementsOf(sql: string): string[] {
  const withoutComments = sql.replaceAll(/^\s*--.*$/gm, '');
  return withoutComments
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

async function findHolders(client: pg.Client): Promise<string> {
  const { rows } = await client.query<HolderRow>(FIND_HOLDERS);
  if (rows.length === 0) return 'a lock';
  return rows
    .map(({ pid, login, application_name: name, state, seconds }) => {
      const who = [login, name].filter((part) => part !== null && part !== '').join(', ');
      return `process ${pid} (${who}; ${state ?? 'unknown'}, its transaction open for ${seconds} s)`;
    })
    .join(', ');
}

function failed({ title }: Step, error: unknown): Error {
  const what = title.charAt(0).toUpperCase() + title.slice(1);
  const message = `${what} failed and was rolled back: ${toError(error).message}`;
  return new Error(message, { cause: error });
}
