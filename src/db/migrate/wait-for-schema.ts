import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { toError } from '../../core/errors.ts';
import type { Logger } from '../../telemetry/log.ts';
import { sqlState } from '../retryable.ts';
import { readMigrations } from './files.ts';
import { APPLIED_MIGRATIONS } from './sql.ts';

export interface WaitForSchemaOptions {
  readonly connectionString: string;
  readonly log: Logger;
  readonly signal?: AbortSignal;
  /** 500 by default. */
  readonly pollMs?: number;
}

/** Says again what it waits for after this long. */
const REMIND_MS = 30_000;

/**
 * Resolves once every migration of this version is applied. For processes that do not migrate by themselves: they may be
 * started together with the one that does, or before the database.
 * @throws the signal's reason when it fires first
 */
export async function waitForSchema(options: WaitForSchemaOptions): Promise<void> {
  const { connectionString, log, signal, pollMs = 500 } = options;
  const names = (await readMigrations()).map((migration) => migration.name);
  let saidMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const waiting = await whatIsMissing(connectionString, names);
    if (waiting === null) return;
    if (performance.now() - saidMs > REMIND_MS) {
      saidMs = performance.now();
      log.warn(
        waiting,
        'waiting for the database; `npm run server` or `millrace migrate` brings the schema up to date',
      );
    }
    await sleep(pollMs, undefined, signal === undefined ? {} : { signal });
  }
}

/** Null when nothing is. */
async function whatIsMissing(
  connectionString: string,
  names: readonly string[],
): Promise<Readonly<Record<string, unknown>> | null> {
  const client = new pg.Client({
    connectionString,
    application_name: 'millrace',
    connectionTimeoutMillis: 5_000,
  });
  // A connection that breaks between two queries says so here; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ migration_name: string }>(APPLIED_MIGRATIONS);
    const applied = new Set(rows.map((row) => row.migration_name));
    const missing = names.filter((name) => !applied.has(name));
    return missing.length === 0 ? null : { missing_migrations: missing };
  } catch (error) {
    // undefined_table: nobody has ever migrated this database.
    return sqlState(error) === '42P01' ? { missing_migrations: names } : { reason: toError(error).message };
  } finally {
    await client.end().catch(() => undefined);
  }
}
