import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '../config/config.ts';
import { migrateUrlOf } from '../config/listen-url.ts';
import { DomainError } from '../core/errors.ts';
import { migrate } from '../db/migrate/migrate.ts';
import { installPgmq } from '../db/migrate/pgmq.ts';
import { preparePgvector } from '../db/migrate/pgvector.ts';
import { migrationStatus } from '../db/migrate/status.ts';
import { readDatabaseUrl } from './local-database.ts';

export const MIGRATE_USAGE = `millrace migrate [--check] [--pgmq [--pgmq-tenant <slug>]]

Brings the database up to date: its roles, then every migration that is missing, each in one transaction, then the routines
(functions, views, triggers, policies) that differ, all in one. It may be run any number of times, by any number of processes at
once. Where the server has pgvector 0.8 or newer, links are found by it.

  --check                change nothing; say what is pending, and exit 1 if anything is
  --pgmq                 the schema pgmq as well: pgmq's functions on Millrace's jobs, see docs/pgmq.md
  --pgmq-tenant <slug>   whose queues are that are made in a transaction without a tenant; the only tenant by default

Works on MILLRACE_MIGRATE_URL, else DATABASE_URL, else the embedded database of a running demo or start.
`;

/**
 * `millrace migrate`. Exit code 1 when `--check` finds something.
 * @throws DomainError `ConfigInvalid` `DatabaseUnsupported` `MigrationEdited` `Forbidden`
 */
export async function runMigrate(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      check: { type: 'boolean', default: false },
      pgmq: { type: 'boolean', default: false },
      'pgmq-tenant': { type: 'string' },
    },
  });
  const config = loadConfig();
  const connectionString = await targetOf(config);
  if (values.check) return check(connectionString);
  const { applied, alreadyApplied, routines } = await migrate({
    connectionString,
    rolePrefix: config.rolePrefix,
  });
  for (const name of applied) process.stdout.write(`applied ${name}\n`);
  process.stdout.write(`${applied.length} applied, ${alreadyApplied} already there\n`);
  process.stdout.write(`routines: ${routines.applied.length} applied, ${routines.dropped.length} dropped\n`);
  const vectors = await preparePgvector(connectionString);
  if (vectors !== null) process.stdout.write(`pgvector: ${vectors}\n`);
  if (!values.pgmq) return;
  const tenant = await installPgmq({
    connectionString,
    rolePrefix: config.rolePrefix,
    tenant: values['pgmq-tenant'] ?? null,
  });
  process.stdout.write(
    `schema pgmq: ${tenant === null ? 'queues are made by transactions with a tenant' : `queues of ${tenant}`}\n`,
  );
}

async function check(connectionString: string): Promise<void> {
  const { applied, pending, edited, unknown, routines } = await migrationStatus(connectionString);
  const lines = [
    ...pending.map((name) => `pending ${name}`),
    ...edited.map((name) => `edited  ${name}`),
    ...unknown.map((name) => `unknown ${name}`),
    ...routines.pending.map((path) => `pending routines/${path}`),
    ...routines.edited.map((path) => `edited  routines/${path}`),
    ...routines.gone.map((name) => `gone    ${name}`),
  ];
  if (lines.length > 0) process.exitCode = 1;
  lines.push(
    `${pending.length + routines.pending.length} pending, ${applied.length + routines.applied} applied`,
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function targetOf(config: Config): Promise<string> {
  const found =
    config.databaseUrl === null
      ? (config.migrateUrl ?? (await readDatabaseUrl(config.dataDir)))
      : migrateUrlOf(config, config.databaseUrl);
  if (found !== null) return found;
  throw new DomainError(
    'ConfigInvalid',
    `DATABASE_URL is not set, and no embedded database runs in ${config.dataDir}: there is none to migrate.`,
    { field: 'DATABASE_URL', allowed: 'a postgres:// URL' },
  );
}
