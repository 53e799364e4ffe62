import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, binariesIn, locatePackagedBinaries, type PackagedBinaries } from './binaries.ts';
import { EmbeddedPostgresError } from './errors.ts';
import type { RunAs } from './os-user.ts';
import { runProgram } from './run-program.ts';
import { copyRuntime, linkLibraries } from './runtime-copy.ts';

const COPY_ATTEMPTS = 3;

/** Programs that were seen to run as the wanted user. */
export type Runtime = Binaries & { readonly majorVersion: string; readonly isCopy: boolean };

/**
 * Finds Postgres programs that this user can really run: those in `node_modules`, if need be after making up
 * for a skipped install script, else a copy of them (npm's place may lie below a directory that only root may
 * enter, or be read-only with parts missing).
 *
 * @param copiesDir where a copy may be kept, one directory for each version of the package
 * @param packaged where npm put the programs; a test may name another place
 * @throws EmbeddedPostgresError `binaries_missing` | `binaries_unusable` with what the system said
 */
export async function findRuntime(
  runAs: RunAs,
  copiesDir: string,
  packaged: PackagedBinaries = locatePackagedBinaries(),
): Promise<Runtime> {
  const inPlace = binariesIn(packaged.root);
  const asInstalled = await tryOut(inPlace, runAs);
  if (asInstalled.works) return { ...inPlace, majorVersion: asInstalled.majorVersion, isCopy: false };

  await repair(inPlace).catch(() => {}); // read-only or not ours: the copy below is what remains
  const repaired = await tryOut(inPlace, runAs);
  if (repaired.works) return { ...inPlace, majorVersion: repaired.majorVersion, isCopy: false };

  const copy = binariesIn(join(copiesDir, `postgres-${packaged.packageVersion}`));
  for (let attempt = 1; ; attempt++) {
    try {
      await copyRuntime(packaged.root, copy.root);
    } catch (cause) {
      throw unusable(
        inPlace,
        runAs,
        `${repaired.reason}; and no copy could be made at ${copy.root}: ${cause}`,
        cause,
      );
    }
    const copied = await tryOut(copy, runAs);
    if (copied.works) return { ...copy, majorVersion: copied.majorVersion, isCopy: true };
    // Somebody who repairs the same spoilt copy may have had it aside just then.
    if (attempt === COPY_ATTEMPTS) throw unusable(copy, runAs, copied.reason);
  }
}

type Tryout = { works: true; majorVersion: string } | { works: false; reason: string };

// Running it is the only test that sees all of them: modes, unreachable parents, missing libraries, `noexec`.
async function tryOut({ postgres, initdb }: Binaries, { uid, gid }: RunAs): Promise<Tryout> {
  const [server, init] = await Promise.all([
    runProgram(postgres, ['--version'], { uid, gid }),
    runProgram(initdb, ['--version'], { uid, gid }),
  ]);
  const majorVersion = /PostgreSQL\D*(\d+)/.exec(server.stdout)?.[1];
  if (server.code === 0 && init.code === 0 && majorVersion !== undefined)
    return { works: true, majorVersion };
  const failed = server.code === 0 ? init : server;
  return { works: false, reason: failed.spawnError?.message ?? failed.stderr.trim() };
}

async function repair(binaries: Binaries): Promise<void> {
  for (const program of [binaries.postgres, binaries.initdb, binaries.pgCtl]) await chmod(program, 0o755);
  await linkLibraries(binaries.root);
}

function unusable(binaries: Binaries, runAs: RunAs, reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'binaries_unusable',
    `The Postgres programs in ${binaries.root} can't be run as ${runAs.userName}: ${reason}`,
    { path: binaries.root, userName: runAs.userName, output: reason },
    { cause },
  );
}
