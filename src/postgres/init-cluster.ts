import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataPlace, TRIAL_PREFIX } from './data-place.ts';
import { EmbeddedPostgresError, systemCode } from './errors.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import type { Runtime } from './runtime.ts';

/** The database that is made with each cluster. */
export const DATABASE_NAME = 'millrace';
/** The superuser of each cluster. */
export const SUPERUSER_NAME = 'postgres';

/** Half-made clusters are directories with this prefix; the owner of the data directory may delete them. */
export const HALF_MADE_PREFIX = 'init-';

// UTC spares initdb a search through the time zone files; C keeps what the programs say in English.
const PROGRAM_ENV = { TZ: 'UTC', LC_ALL: 'C', PATH: '/usr/bin:/bin' };

/**
 * Makes the cluster and its database if there is none yet, all in a directory beside its place which is
 * renamed when complete and on disk: whatever is killed on the way, there is either no cluster or a whole
 * one. The caller owns the data directory.
 *
 * @returns the superuser's password
 * @throws EmbeddedPostgresError `init_failed` | `data_dir_other_version` | `data_dir_incomplete`
 */
export async function ensureCluster(place: DataPlace, runtime: Runtime): Promise<string> {
  const { home, clusterDir } = place;
  for (const name of await readdir(home)) {
    if (!name.startsWith(HALF_MADE_PREFIX) && !name.startsWith(TRIAL_PREFIX)) continue;
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }
  const passwordFile = join(home, 'password');
  const known = (await readFile(passwordFile, 'utf8').catch(() => '')).trim();

  if ((await stat(clusterDir).catch(() => undefined)) !== undefined) {
    await checkVersion(clusterDir, runtime);
    if (known !== '') return known;
    throw new EmbeddedPostgresError(
      'data_dir_incomplete',
      `The password of the database in ${home} is missing (file ${passwordFile}). Put it back, or delete ${home} to start empty.`,
      { dataDir: home, path: passwordFile },
    );
  }
  // Kept from a start that was killed before the cluster was complete, else new.
  const password = known === '' ? randomBytes(24).toString('hex') : known;
  if (known === '') await writeDurably(passwordFile, `${password}\n`);
  await makeCluster(place, runtime, password);
  return password;
}

async function makeCluster(
  { home, clusterDir, runAs }: DataPlace,
  runtime: Runtime,
  password: string,
): Promise<void> {
  const work = await mkdtemp(join(home, HALF_MADE_PREFIX));
  const passwordFile = join(work, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (runAs.uid !== undefined && runAs.gid !== undefined) {
    await chown(passwordFile, runAs.uid, runAs.gid);
    await chown(work, runAs.uid, runAs.gid);
  }
  const unfinished = join(work, 'cluster');
  // The working directory is how a later start finds these programs should this process be killed now.
  const options = { env: PROGRAM_ENV, cwd: work, uid: runAs.uid, gid: runAs.gid };
  expectSuccess(
    'initdb',
    await runProgram(
      runtime.initdb,
      [
        `--pgdata=${unfinished}`,
        `--username=${SUPERUSER_NAME}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--locale=C',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        '--no-sync', // everything is synced once, below
      ],
      options,
    ),
    home,
  );
  // The one statement outside src/db: without this database there is nothing yet that src/db could connect
  // to. A single-user server runs it, so that the rename publishes cluster and database together.
  const created = await runProgram(runtime.postgres, ['--single', '-D', unfinished, 'postgres'], {
    ...options,
    stdin: `CREATE DATABASE ${DATABASE_NAME};\n`,
  });
  // That server goes on to the next line after an error, and ends with success all the same.
  expectSuccess(
    'create database',
    /\b(ERROR|FATAL|PANIC):/.test(created.stderr) ? { ...created, code: 1 } : created,
    home,
  );
  expectSuccess(
    'sync',
    await runProgram(runtime.initdb, ['--sync-only', `--pgdata=${unfinished}`], options),
    home,
  );

  await rename(unfinished, clusterDir);
  await syncDirectory(home);
  await rm(work, { recursive: true, force: true });
}

async function checkVersion(clusterDir: string, { majorVersion }: Runtime): Promise<void> {
  const found = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (found === majorVersion) return;
  throw new EmbeddedPostgresError(
    found === '' ? 'data_dir_incomplete' : 'data_dir_other_version',
    found === ''
      ? `${clusterDir} exists but holds no Postgres database. Move it away, or choose another directory.`
      : `The database in ${clusterDir} was made by Postgres ${found}, this is Postgres ${majorVersion}. ` +
          `Dump it with Postgres ${found} and load it into a new directory, or choose another directory.`,
    { dataDir: clusterDir, foundVersion: found, neededVersion: majorVersion },
  );
}

function expectSuccess(step: string, result: ProgramResult, dataDir: string): void {
  if (result.code === 0) return;
  const output = (result.spawnError?.message ?? `${result.stderr}\n${result.stdout}`).trim().slice(-2_000);
  throw new EmbeddedPostgresError(
    'init_failed',
    `Making a database in ${dataDir} failed (${step}): ${output}`,
    {
      dataDir,
      output,
    },
  );
}

async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return; // directories can't be opened there
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (caught) {
    // Some network file systems have no such thing.
    if (systemCode(caught) !== 'EINVAL') throw caught;
  } finally {
    await directory.close();
  }
}
