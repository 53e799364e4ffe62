import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DomainError } from '../../core/errors.ts';
import { sqlState } from '../retryable.ts';
import { type RoleNames, roleNames, rolesSql, temporaryRightsSql } from '../roles.ts';
import { openSession } from '../session.ts';
import { applyWithRetries, inRetriedTransaction } from './apply.ts';
import { type MigrationFile, readMigrations } from './files.ts';
import { bringRoutinesUp } from './routines/bring-up.ts';
import { readRoutines } from './routines/files.ts';
import type { RoutineFile } from './routines/routine-file.ts';
import { CREATE_ROUTINES_TABLE } from './routines/sql.ts';
import { APPLIED_MIGRATIONS, CREATE_BOOKKEEPING, SERVER_VERSION, SET_ROLE_PREFIX, TRY_LOCK } from './sql.ts';
import { type AppliedMigration, takeOver } from './take-over.ts';

/** B-tree skip scan and uuidv7() carry the design. */
const MINIMUM_VERSION = 180_000;
/** The lock id that Prisma's own migrate commands take, so that neither runs beside the other. */
const ADVISORY_LOCK_ID = 72_707_369;
const TURN_PAUSE_MS = 50;

export interface MigrateOptions {
  readonly connectionString: string;
  readonly rolePrefix?: string;
  readonly log?: (message: string) => void;
  /** For tests: other migrations than the shipped ones. */
  readonly folder?: URL;
  /** For tests: other routines. */
  readonly routines?: URL;
  /** How long a migration waits, in all, for what others hold; 600,000 by default. */
  readonly maxWaitMs?: number;
  /** Ends that wait. */
  readonly signal?: AbortSignal;
}

export interface MigrateResult {
  readonly applied: readonly string[];
  readonly alreadyApplied: number;
  /** Paths of the routines that were applied, and kind and name of those that were dropped. */
  readonly routines: { readonly applied: readonly string[]; readonly dropped: readonly string[] };
}

/**
 * Brings the database up to date: roles, then every migration that is missing, each in one transaction with
 * its bookkeeping row, then the routines that differ, all in one. Safe to run from any number of processes at
 * once; they take turns under an advisory lock.
 * @throws DomainError `DatabaseUnsupported` below Postgres 18, and for a database of before the baseline ·
 *   `MigrationEdited` when an applied file has changed or is gone · `Busy` when others held what a migration
 *   needs for too long; the signal's reason
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const migrations = await readMigrations(options.folder);
  const routines = await readRoutines(options.routines);
  const names = roleNames(options.rolePrefix ?? 'millrace');
  const client = new pg.Client({
    connectionString: options.connectionString,
    application_name: 'millrace-migrate',
  });
  // A connection that breaks between two statements says so only here; the next statement fails by itself.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await refuseOldServer(client);
    await openSession(client);
    await takeTurn(client, options.signal);
    await makeRoles(client, names);
    await client.query(SET_ROLE_PREFIX, [options.rolePrefix ?? 'millrace']);
    return await applyMissing(client, { migrations, routines, names }, options);
  } finally {
    // Ending the session gives the lock back.
    await client.end();
  }
}

/**
 * Waits until no other process migrates. Not by a lock that the server waits for: that would be a transaction
 * that is open while another builds an index beside the work, which waits for such transactions.
 */
async function takeTurn(client: pg.Client, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(TRY_LOCK, [ADVISORY_LOCK_ID]);
    if (rows[0]?.locked === true) return;
    await sleep(TURN_PAUSE_MS, undefined, signal === undefined ? {} : { signal });
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(SERVER_VERSION);
  const server = rows[0];
  if (server === undefined || server.number >= MINIMUM_VERSION) return;
  throw new DomainError(
    'DatabaseUnsupported',
    `This server is Postgres ${server.version}; Millrace needs 18 or newer (its claim relies on the B-tree skip scan, its keys on uuidv7()).`,
    { field: 'DATABASE_URL', allowed: 'Postgres 18 or newer' },
  );
}

async function makeRoles(client: pg.Client, names: RoleNames): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(rolesSql(names));
      await client.query(temporaryRightsSql(names));
      return;
    } catch (error) {
      if (sqlState(error) === '42501') {
        throw new DomainError(
          'Forbidden',
          `The database login may not create roles. Let an administrator run what \`millrace roles --sql\` prints, then start again.`,
          { field: 'DATABASE_URL', allowed: 'a login with CREATEROLE, or roles made beforehand' },
          error,
        );
      }
      // Two databases of one cluster that are set up at once meet in pg_auth_members: "tuple concurrently
      // updated" (XX000).
      if (tries >= 5 || !['XX000', '23505', '42710'].includes(sqlState(error) ?? '')) throw error;
    }
  }
}

interface Files {
  readonly migrations: readonly MigrationFile[];
  readonly routines: readonly RoutineFile[];
  readonly names: RoleNames;
}

async function applyMissing(
  client: pg.Client,
  { migrations, routines, names }: Files,
  options: MigrateOptions,
): Promise<MigrateResult> {
  await client.query(CREATE_BOOKKEEPING);
  await client.query(CREATE_ROUTINES_TABLE);
  const { rows } = await client.query<AppliedMigration>(APPLIED_MIGRATIONS);
  const applied = await takeOver(client, rows, migrations, options);
  refuseEdited(migrations, applied);
  const done = new Set(applied.map((row) => row.migration_name));
  const missing = migrations.filter((migration) => !done.has(migration.name));
  for (const migration of missing) {
    options.log?.(`migration ${migration.name}`);
    await applyWithRetries(client, migration, options);
  }
  const step = { title: 'routines', name: 'prisma/routines' };
  const brought = await bringRoutinesUp(client, routines, names, (work) =>
    inRetriedTransaction(client, step, options, work),
  );
  if (brought.applied.length + brought.dropped.length > 0) {
    options.log?.(`routines: ${brought.applied.length} applied, ${brought.dropped.length} dropped`);
  }
  return {
    applied: missing.map((migration) => migration.name),
    alreadyApplied: done.size,
    routines: brought,
  };
}

function refuseEdited(migrations: readonly MigrationFile[], applied: readonly AppliedMigration[]): void {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const file = byName.get(row.migration_name);
    if (file !== undefined && file.checksum === row.checksum) continue;
    const what =
      file === undefined ? 'is not among the files of this version' : 'was edited after it had been applied';
    throw new DomainError(
      'MigrationEdited',
      `Migration ${row.migration_name} ${what}. Migrations are never edited once landed.`,
      {
        field: row.migration_name,
        allowed: `SHA-256 ${row.checksum}`,
      },
    );
  }
}
