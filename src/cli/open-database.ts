import { type Config, loadConfig } from '../config/config.ts';
import { DomainError } from '../core/errors.ts';
import { Database } from '../db/database.ts';
import { findTenant, type TenantRow } from '../db/sql/identity/find-tenant.ts';
import { readDatabaseUrl } from './local-database.ts';

/**
 * Runs a command on the database of DATABASE_URL or, without it, on the embedded one of a running
 * `npm run demo` or `npm start`.
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
    pooler: config.pooler,
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
  requireAll({ [option]: value });
  return value ?? '';
}

/** Options that must be given, by name. @throws DomainError `InvalidArgument` naming all that are not */
export function requireAll(values: Readonly<Record<string, string | undefined>>): void {
  const missing = Object.keys(values).filter((option) => (values[option] ?? '') === '');
  const [first] = missing;
  if (first === undefined) return;
  const said = missing.map((option) => `--${option}`).join(', ');
  throw new DomainError(
    'InvalidArgument',
    `${said} ${missing.length > 1 ? 'are' : 'is'} missing; --help says what there is.`,
    { field: `--${first}` },
  );
}
