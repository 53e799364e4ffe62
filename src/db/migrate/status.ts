import pg from 'pg';
import { sqlState } from '../retryable.ts';
import { readMigrations } from './files.ts';
import { readRoutines } from './routines/files.ts';
import { keyOf } from './routines/order.ts';
import { compareRoutines } from './routines/plan.ts';
import { appliedRoutines, readDefinitions } from './routines/read.ts';
import { SET_SEARCH_PATH } from './routines/sql.ts';
import { APPLIED_MIGRATIONS } from './sql.ts';
import { type AppliedMigration, isTakenOver } from './take-over.ts';

/** How the migrations and routines of this version and those of a database compare, by name. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  /** Migrations of this version that are not applied. */
  readonly pending: readonly string[];
  /** Applied, but another text than this version's. */
  readonly edited: readonly string[];
  /** Applied, and not of this version: a newer one has been here. */
  readonly unknown: readonly string[];
  readonly routines: {
    readonly applied: number;
    /** Paths of files that are new or have changed since they were applied. */
    readonly pending: readonly string[];
    /**
     * Paths of those that are not in the database as they were applied: somebody has changed or dropped them
     * there.
     */
    readonly edited: readonly string[];
    /** Kind and name of those whose file is gone: `millrace migrate` drops them. */
    readonly gone: readonly string[];
  };
}

/** Compares, and changes nothing. @throws what the connection throws */
export async function migrationStatus(connectionString: string, folder?: URL): Promise<MigrationStatus> {
  const files = new Map((await readMigrations(folder)).map(({ name, checksum }) => [name, checksum]));
  const routines = await readRoutines();
  return withClient(connectionString, async (client) => {
    const rows = await appliedRows(client);
    const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
    await client.query(SET_SEARCH_PATH, [false]);
    const rowsOfRoutines = await appliedRoutines(client);
    const compared = compareRoutines(routines, rowsOfRoutines, await readDefinitions(client));
    return {
      applied: [...applied.keys()],
      pending: [...files.keys()].filter((name) => !applied.has(name)),
      edited: [...applied.keys()].filter((name) => files.has(name) && files.get(name) !== applied.get(name)),
      unknown: [...applied.keys()].filter((name) => !files.has(name) && !isTakenOver(name, rows)),
      routines: {
        applied: rowsOfRoutines.length,
        pending: compared.pending.map(({ path }) => path),
        edited: compared.edited.map(({ path }) => path),
        gone: compared.gone.map(keyOf),
      },
    };
  });
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString,
    application_name: 'millrace-migrate',
    connectionTimeoutMillis: 5_000,
  });
  // A connection that breaks says so only here; the next statement fails by itself.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function appliedRows(client: pg.Client): Promise<readonly AppliedMigration[]> {
  try {
    return (await client.query<AppliedMigration>(APPLIED_MIGRATIONS)).rows;
  } catch (error) {
    // undefined_table: nobody has ever migrated this database.
    if (sqlState(error) === '42P01') return [];
    throw error;
  }
}
