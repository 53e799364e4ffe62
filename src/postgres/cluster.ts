import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { choosePlace } from './data-place.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { findFreePort } from './free-port.ts';
import { ensureCluster } from './init-cluster.ts';
import { stopLeftovers } from './leftovers.ts';
import { isRoot } from './os-user.ts';
import { claimDirectory } from './owner-lock.ts';
import { type Postmaster, type PostmasterOptions, startPostmaster } from './postmaster.ts';
import { type EmbeddedPostgres, RunningCluster } from './running-cluster.ts';
import { findRuntime } from './runtime.ts';

export type { EmbeddedPostgres } from './running-cluster.ts';

export type EmbeddedPostgresOptions = {
  /** Directory for the data, made if need be. One process at a time may use it. */
  readonly dataDir: string;
  /** Default: any free port, another one at each start. */
  readonly port?: number;
  /** Receives each line of the server's log. */
  readonly log: (line: string) => void;
  /** Server settings (postgresql.conf names). Address, port and socket are ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the server ends without having been asked to; `restart` may be called then. */
  readonly onUnexpectedExit?: (how: string) => void;
  /** Where root keeps what the server's user can't reach elsewhere. Default `/var/lib/millrace`. */
  readonly systemDir?: string;
};

const SYSTEM_DIR = '/var/lib/millrace';
const FREE_PORT_ATTEMPTS = 5;
const RETRY_TIMEOUT_MS = 10_000;
const RETRY_PAUSE_MS = 50;

/**
 * Starts the Postgres that came with npm, making its cluster first if there is none.
 *
 * @throws DomainError `DataDirInUse` when another process runs in this data directory
 * @throws EmbeddedPostgresError for everything else that can go wrong, see its codes
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, settings = {}, systemDir = SYSTEM_DIR } = options;
  const place = await choosePlace(options.dataDir, systemDir);
  const lock = await claimDirectory(place.home);
  try {
    await stopLeftovers(place.home, log);
    const runtime = await findRuntime(place.runAs, isRoot() ? systemDir : join(place.home, 'programs'));
    const password = await ensureCluster(place, runtime);
    const common = { place, runtime, settings, log };
    const { first, port } = options.port
      ? { first: await startWhenFree({ ...common, port: options.port }, /shared memory/), port: options.port }
      : await startOnFreePort(common);
    return new RunningCluster({
      place,
      password,
      port,
      notes: runtime.isCopy
        ? [...place.notes, `The Postgres programs were copied to ${runtime.root}.`]
        : place.notes,
      first,
      startAgain: () => startWhenFree({ ...common, port }, /shared memory|could not bind/),
      release: lock.release,
      onUnexpectedExit: (how) => {
        log(`${how}, without having been asked to`);
        options.onUnexpectedExit?.(how);
      },
    });
  } catch (caught) {
    await lock.release();
    throw caught;
  }
}

// Between finding a port and binding it somebody else may take it.
async function startOnFreePort(
  common: Omit<PostmasterOptions, 'port'>,
): Promise<{ first: Postmaster; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    try {
      return { first: await startWhenFree({ ...common, port }, /shared memory/), port };
    } catch (caught) {
      const isTaken = caught instanceof EmbeddedPostgresError && caught.code === 'port_in_use';
      if (!isTaken || attempt === FREE_PORT_ATTEMPTS) throw caught;
    }
  }
}

// Some obstacles go away by themselves: server processes that are just noticing that their postmaster was
// killed hold its shared memory; an outgoing connection of anybody's may sit on our port for a moment.
async function startWhenFree(options: PostmasterOptions, passingTrouble: RegExp): Promise<Postmaster> {
  const deadline = performance.now() + RETRY_TIMEOUT_MS;
  for (;;) {
    try {
      return await startPostmaster(options);
    } catch (caught) {
      const output = caught instanceof EmbeddedPostgresError ? caught.details.output : undefined;
      if (output === undefined || !passingTrouble.test(output) || performance.now() > deadline) throw caught;
      await delay(RETRY_PAUSE_MS);
    }
  }
}
