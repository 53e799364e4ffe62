import type { DataPlace } from './data-place.ts';
import { DATABASE_NAME, SUPERUSER_NAME } from './init-cluster.ts';
import { killProcessesIn } from './leftovers.ts';
import type { Postmaster, ShutdownMode } from './postmaster.ts';

/** A running embedded server. Its data outlives it. */
export type EmbeddedPostgres = {
  /** `postgres://` URL of the superuser, password included, to the database `millrace`. Not for logs. */
  readonly url: string;
  readonly port: number;
  /** Where the data really is, see {@link notes}. */
  readonly dataDir: string;
  /** Pid of the server's main process; changes with a restart. */
  readonly pid: number;
  /** Things that the user should know, one sentence each. */
  readonly notes: readonly string[];
  /**
   * Fast shutdown; then gives the data directory free. Safe to call more than once, also at the same time.
   */
  stop(): Promise<void>;
  /** Stops the server (if it runs) and starts it again on the same port. */
  restart(mode: ShutdownMode): Promise<void>;
  /** Kills all its processes with SIGKILL, as a power failure would. It stays down until {@link restart}. */
  crash(): Promise<void>;
};

/** What a {@link RunningCluster} is made of. */
export type ClusterParts = {
  readonly place: DataPlace;
  readonly password: string;
  readonly port: number;
  readonly notes: readonly string[];
  readonly first: Postmaster;
  /** Starts the server again on the same port. */
  readonly startAgain: () => Promise<Postmaster>;
  /** Gives the data directory free. */
  readonly release: () => Promise<void>;
  readonly onUnexpectedExit: (how: string) => void;
};

/** The server of this process: up, down after a crash, or stopped for good. */
export class RunningCluster implements EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly notes: readonly string[];
  #parts: ClusterParts;
  #postmaster: Postmaster;
  #isUp = true;
  #stopped: Promise<void> | undefined;
  #lastStep: Promise<void> = Promise.resolve();

  constructor(parts: ClusterParts) {
    this.#parts = parts;
    this.#postmaster = parts.first;
    this.port = parts.port;
    this.dataDir = parts.place.home;
    this.notes = parts.notes;
    this.url = `postgres://${SUPERUSER_NAME}:${parts.password}@127.0.0.1:${parts.port}/${DATABASE_NAME}`;
    this.#watch(parts.first);
  }

  get pid(): number {
    return this.#postmaster.pid;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#inTurn(async () => {
      try {
        await this.#takeDown('fast');
      } finally {
        await this.#parts.release();
      }
    });
    return this.#stopped;
  }

  restart(mode: ShutdownMode): Promise<void> {
    this.#refuseWhenStopped();
    return this.#inTurn(async () => {
      await this.#takeDown(mode);
      this.#postmaster = await this.#parts.startAgain();
      this.#isUp = true;
      this.#watch(this.#postmaster);
    });
  }

  crash(): Promise<void> {
    this.#refuseWhenStopped();
    return this.#inTurn(async () => {
      if (!this.#isUp) return;
      this.#isUp = false;
      // The postmaster first and in the same breath as its children: it must not get to tidy up.
      process.kill(this.#postmaster.pid, 'SIGKILL');
      await killProcessesIn([this.#parts.place.clusterDir]);
      await this.#postmaster.exited;
    });
  }

  async #takeDown(mode: ShutdownMode): Promise<void> {
    if (!this.#isUp) return;
    this.#isUp = false;
    await this.#postmaster.stop(mode);
  }

  #watch(postmaster: Postmaster): void {
    void postmaster.exited.then((how) => {
      if (!this.#isUp || postmaster !== this.#postmaster) return;
      this.#isUp = false;
      this.#parts.onUnexpectedExit(how);
    });
  }

  /** One transition at a time: a stop during a restart must find the server that the restart brought up. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    const mine = this.#lastStep.then(step);
    this.#lastStep = mine.catch(() => {});
    return mine;
  }

  #refuseWhenStopped(): void {
    if (this.#stopped !== undefined)
      throw new Error(`the Postgres in ${this.dataDir} has been stopped for good`);
  }
}
