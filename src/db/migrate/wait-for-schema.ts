import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { toError } from '../../core/errors.ts';
import type { Logger } from '../../telemetry/log.ts';
import { sqlState } from '../retryable.ts';
import { readMigrations } from './files.ts';
import { readRoutines } from './routines/files.ts';
import { keyOf } from './routines/order.ts';
import { appliedRoutines } from './routines/read.ts';
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
 * Resolves once every migration and every routine of this version is applied. For processes that do not
 * migrate by themselves: they may be started together with the one that does, or before the database.
 * @throws the signal's reason when it fires first
 */
export async function waitForSchema(options: WaitForSchemaOptions): Promise<void> {
  const { connectionString, log, signal, pollMs = 500 } = options;
  const wanted: Wanted = {
    migrations: (await readMigrations()).map((migration) => migration.name),
    routines: new Map((await readRoutines()).map((file) => [keyOf(file), file.checksum])),
  };
  let saidMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const waiting = await whatIsMissing(connectionString, wanted);
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

interface Wanted {
  /** Names. */
  readonly migrations: readonly string[];
  /** Checksums by kind and name. */
  readonly routines: ReadonlyMap<string, string>;
}

/** Null when nothing is. */
async function whatIsMissing(
  connectionString: string,
  { migrations, routines }: Wanted,
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
    const missing = migrations.filter((name) => !applied.has(name));
    if (missing.length > 0) return { missing_migrations: missing };
    const present = new Map((await appliedRoutines(client)).map((row) => [keyOf(row), row.checksum]));
    const differing = [...routines].filter(([key, checksum]) => present.get(key) !== checksum);
    return differing.length === 0 ? null : { missing_routines: differing.map(([key]) => key) };
  } catch (error) {
    // undefined_table: nobody has ever migrated this database.
    return sqlState(error) === '42P01'
      ? { missing_migrations: migrations }
      : { reason: toError(error).message };
  } finally {
    await client.end().catch(() => undefined);
  }
}
