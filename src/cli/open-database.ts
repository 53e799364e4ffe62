import { type Config, loadConfig } from '../config/config.ts';
import { DomainError } from '../core/errors.ts';
import { Database } from '../db/database.ts';
import { findTenant, type TenantRow } from '../db/sql/identity/find-tenant.ts';
import { readDatabaseUrl } from './local-database.ts';

/**
 * Runs a command on the database of DATABASE_URL or, without it, on the embedded one of a running `npm run demo` or `npm start`.
 * @throws DomainError `ConfigInvalid` when there is neither
 */
export async function withDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const connectionString = config.databaseUrl ?? (await readDatabaseUrl(config.dataDir));
  if (connectionString === null) {
    throw new DomainError(
      'ConfigInvalid',
      `DATABASE_URL is not set, and no embedded database runs in ${config.dataDir} (npm run demo, npm start).`,
      { field: 'DATABASE_URL', allowed: 'a postgres:// URL' },
    );
  }
  const database = new Database({
    connectionString,
    rolePrefix: config.rolePrefix,
    maxConnections: 2,
    applicationName: 'millrace command',
    preparedStatements: config.preparedStatements,
    onError: () => undefined,
  });
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}

/**
 * The tenant that an option names by slug or id.
 * @throws DomainError `InvalidArgument` without the option · `NotFound`
 */
export async function requireTenant(database: Database, slugOrId: string | undefined): Promise<TenantRow> {
  const given = required('tenant', slugOrId);
  const { rows } = await database.asWorker<TenantRow>(findTenant, [given]);
  if (rows[0] !== undefined) return rows[0];
  throw new DomainError(
    'NotFound',
    `There is no tenant ${JSON.stringify(given)}; \`tenant create\` makes one.`,
    {
      field: '--tenant',
    },
  );
}

/** The value of an option that must be given. @throws DomainError `InvalidArgument` naming it */
export function required(option: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value;
  throw new DomainError('InvalidArgument', `--${option} is missing; --help says what there is.`, {
    field: `--${option}`,
  });
}
