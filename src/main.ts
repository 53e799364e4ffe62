import { enableCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { loadConfig } from './config/config.ts';
import { printConfig } from './config/print-config.ts';
import { DomainError, toError } from './core/errors.ts';

// Compiling TypeScript and the larger packages is most of a start; the second one finds it done.
enableCompileCache();

// Each command imports what it needs when it runs: making a token should not load ffmpeg's and GraphQL's modules.
const USAGE = `millrace <command>

  demo                 everything in one process, with embedded Postgres and a sample video
  start                the same without the sample
  migrate              bring the database of DATABASE_URL up to date
  token create         print a token or an API key (--help)
  tenant create, token revoke, key list, key revoke, member set, member remove   (--help)
  roles --sql          print the SQL that makes the database roles
  --check              print the settings in force and exit; exit 1 with every problem listed
`;

async function main(args: readonly string[]): Promise<void> {
  const [command, ...rest] = args;
  if (rest.includes('--check') || command === '--check') {
    loadConfig();
    process.stdout.write(printConfig());
    return;
  }
  switch (command) {
    case 'demo':
    case 'start':
      return (await import('./cli/all-in-one.ts')).runAllInOne(loadConfig(), command === 'demo');
    case 'migrate':
      return runMigrate();
    case 'token':
      if (rest[0] === 'create') return (await import('./cli/token-create.ts')).createToken(rest);
      return runAccess(command, rest);
    case 'tenant':
    case 'key':
    case 'member':
      return runAccess(command, rest);
    case 'roles':
      return printRoles(rest);
    default:
      return explain(command === undefined || command === '--help' || command === 'help');
  }
}

/** The usage: on stdout when it was asked for, else on stderr with exit code 2. */
function explain(wasAsked: boolean): void {
  (wasAsked ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = wasAsked ? 0 : 2;
}

async function runAccess(command: string, args: readonly string[]): Promise<void> {
  const { runAccessCommand } = await import('./cli/access.ts');
  if (!(await runAccessCommand(command, args))) explain(false);
}

async function runMigrate(): Promise<void> {
  const config = loadConfig();
  const connectionString = config.migrateUrl ?? config.databaseUrl;
  if (connectionString === null) {
    throw new DomainError('ConfigInvalid', 'DATABASE_URL is not set: there is no database to migrate', {
      field: 'DATABASE_URL',
      allowed: 'a postgres:// URL',
    });
  }
  const { migrate } = await import('./db/migrate/migrate.ts');
  const result = await migrate({
    connectionString,
    rolePrefix: config.rolePrefix,
    log: (message) => process.stderr.write(`${message}\n`),
  });
  process.stdout.write(`${result.applied.length} applied, ${result.alreadyApplied} already there\n`);
}

async function printRoles(args: readonly string[]): Promise<void> {
  const { roleNames, rolesSql } = await import('./db/roles.ts');
  const { values } = parseArgs({
    args: [...args],
    options: { sql: { type: 'boolean' }, login: { type: 'string' } },
  });
  const config = loadConfig();
  process.stdout.write(`${rolesSql(roleNames(config.rolePrefix), values.login ?? null)}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  const error = toError(thrown);
  // What was foreseen says what to do; only the rest needs its stack.
  const isForeseen = error instanceof DomainError || 'code' in error;
  process.stderr.write(`${isForeseen ? error.message : (error.stack ?? error.message)}\n`);
  process.exitCode = 1;
}
// A handler that ignores its signal would keep the process; all that counts is written by now.
process.exit();
