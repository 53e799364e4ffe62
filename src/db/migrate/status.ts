import pg from 'pg';
import { sqlState } from '../retryable.ts';
import { readMigrations } from './files.ts';
import { APPLIED_MIGRATIONS } from './sql.ts';

/** How the migrations of this version and those of a database compare, by name. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  /** Of this version, and not applied. */
  readonly pending: readonly string[];
  /** Applied, but another text than this version's. */
  readonly edited: readonly string[];
  /** Applied, and not of this version: a newer one has been here. */
  readonly unknown: readonly string[];
}

/** Compares, and changes nothing. @throws what the connection throws */
export async function migrationStatus(connectionString: string, folder?: URL): Promise<MigrationStatus> {
  const files = new Map((await readMigrations(folder)).map(({ name, checksum }) => [name, checksum]));
  const rows = await appliedRows(connectionString);
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  return {
    applied: [...applied.keys()],
    pending: [...files.keys()].filter((name) => !applied.has(name)),
    edited: [...applied.keys()].filter((name) => files.has(name) && files.get(name) !== applied.get(name)),
    unknown: [...applied.keys()].filter((name) => !files.has(name)),
  };
}

async function appliedRows(
  connectionString: string,
): Promise<readonly { readonly migration_name: string; readonly checksum: string }[]> {
  const client = new pg.Client({
    connectionString,
    application_name: 'millrace-migrate',
    connectionTimeoutMillis: 5_000,
  });
  // A connection that breaks says so only here; the next statement fails by itself.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<{ migration_name: string; checksum: string }>(APPLIED_MIGRATIONS)).rows;
  } catch (error) {
    // undefined_table: nobody has ever migrated this database.
    if (sqlState(error) === '42P01') return [];
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
