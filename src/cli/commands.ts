import { loadConfig } from '../config/config.ts';

/** One command of the program. */
export interface Command {
  readonly summary: string;
  /** What `--help` prints. */
  readonly usage: () => string | Promise<string>;
  /**
   * Takes what follows the command; each imports what it needs when it runs: making a token should not load
   * GraphQL.
   */
  readonly run: (args: readonly string[]) => unknown;
}

const PROCESS_NOTE =
  'Settings are environment variables; --check prints those in force and exits, 1 if one is wrong. Ctrl-C stops it in good order,\nonce more at once.\n';

/** Every command by its name, in the order of the overview. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  demo: {
    summary: 'everything in one process, with embedded Postgres and a sample video',
    usage: () =>
      `millrace demo [--check]\n\nAs start, with a tenant named demo, a token of its admin, and a sample video, which is put in at the first start. Installs embedded Postgres and ffmpeg first where they are missing.\n\n${PROCESS_NOTE}`,
    run: async () => {
      const config = loadConfig();
      const { installParts } = await import('./install.ts');
      await installParts(config.databaseUrl === null ? ['postgres', 'media'] : ['media']);
      await (await import('./all-in-one.ts')).runAllInOne(config, true);
    },
  },
  start: {
    summary: 'the same for real use: no sample, no tenant, no token',
    usage: () =>
      `millrace start [--check]\n\nDatabase, migrations, API and one worker in one process. Without DATABASE_URL it starts a Postgres of its own in MILLRACE_DATA_DIR.\nWhen all is up it prints a line on stdout: millrace ready url=… graphql=…\nIt makes no tenant and no token: "tenant create" and "token create" do, beside it.\n\n${PROCESS_NOTE}`,
    run: async () => (await import('./all-in-one.ts')).runAllInOne(loadConfig(), false),
  },
  server: {
    summary: 'the API alone, on DATABASE_URL; applies migrations',
    usage: () => `millrace server [--check]\n\n${PROCESS_NOTE}`,
    run: () => import('../server.ts'),
  },
  worker: {
    summary: 'a worker alone, on DATABASE_URL; any number of them, on any machine',
    usage: () => `millrace worker [--check]\n\n${PROCESS_NOTE}`,
    run: () => import('../../workers/main.ts'),
  },
  migrate: {
    summary: 'bring the database up to date; --check says what is pending',
    usage: async () => (await import('./migrate.ts')).MIGRATE_USAGE,
    run: async (args) => (await import('./migrate.ts')).runMigrate(args),
  },
  doctor: {
    summary: 'check this machine, the database, the storage and the tools',
    usage: async () => (await import('./doctor.ts')).DOCTOR_USAGE,
    run: async (args) => (await import('./doctor.ts')).runDoctor(args),
  },
  roles: {
    summary: '--sql prints the SQL that makes the database roles',
    usage: async () => (await import('./roles.ts')).ROLES_USAGE,
    run: async (args) => (await import('./roles.ts')).printRoles(args),
  },
  install: {
    summary: 'install parts that the package does not bring: postgres, media, s3',
    usage: async () => (await import('./install.ts')).INSTALL_USAGE,
    run: async (args) => (await import('./install.ts')).runInstall(args),
  },
  tenant: accessCommand('tenant', 'create'),
  token: {
    ...accessCommand('token', 'create, revoke'),
    usage: async () =>
      `${(await import('./token-create.ts')).TOKEN_CREATE_USAGE}\n${(await import('./access.ts')).ACCESS_USAGE}`,
    run: async (args) => {
      if (args[0] === 'create') return (await import('./token-create.ts')).createToken(args);
      return runAccess('token', args);
    },
  },
  key: accessCommand('key', 'list, revoke'),
  member: accessCommand('member', 'set, remove'),
};

function accessCommand(name: string, verbs: string): Command {
  return {
    summary: verbs,
    usage: async () => (await import('./access.ts')).ACCESS_USAGE,
    run: (args) => runAccess(name, args),
  };
}

async function runAccess(name: string, args: readonly string[]): Promise<void> {
  const { runAccessCommand } = await import('./access.ts');
  if (await runAccessCommand(name, args)) return;
  const usage = await COMMANDS[name]?.usage();
  process.stderr.write(
    `There is no command ${JSON.stringify([name, ...args.slice(0, 1)].join(' '))}.\n\n${usage}`,
  );
  process.exitCode = 2;
}

/** What there is, one line each. */
export function overview(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`);
  return `millrace <command> [options]

${lines.join('\n')}

  <command> --help   what it takes
  --check            print the settings in force and exit; exit 1 with every problem listed
  --version          print the version
`;
}
