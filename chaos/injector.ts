import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EmbeddedPostgres } from '../src/postgres/cluster.ts';
import type { Fault, FaultKind, PlannedFault } from './fault-plan.ts';
import type { Workers } from './workers.ts';

export interface InjectorDeps {
  readonly cluster: EmbeddedPostgres;
  readonly workers: Workers;
  readonly say: (line: string) => void;
}

/** Carries faults out, each at its time or, when the one before is not over, right after it. */
export class Injector {
  readonly #deps: InjectorDeps;
  readonly #done = new Map<FaultKind, number>();
  /** Frozen workers, which thaw while other faults go on. */
  readonly #thawing: Promise<void>[] = [];

  constructor(deps: InjectorDeps) {
    this.#deps = deps;
  }

  /** How often each kind was really done: one that found nothing to break is not counted. */
  get counts(): ReadonlyMap<FaultKind, number> {
    return this.#done;
  }

  async run(planned: readonly PlannedFault[], signal: AbortSignal): Promise<void> {
    const beganMs = performance.now();
    for (const { atMs, fault } of planned) {
      await sleep(Math.max(0, beganMs + atMs - performance.now()), undefined, { signal });
      this.#deps.say(describeFault(fault));
      if (await this.#inject(fault)) this.#done.set(fault.kind, (this.#done.get(fault.kind) ?? 0) + 1);
    }
    await Promise.all(this.#thawing);
  }

  async #inject(fault: Fault): Promise<boolean> {
    const { cluster, workers } = this.#deps;
    switch (fault.kind) {
      case 'kill':
        await workers.kill(fault.worker);
        return true;
      case 'replace':
        // A stopped process hears no SIGTERM.
        workers.thaw(fault.worker);
        await workers.replace(fault.worker);
        return true;
      case 'freeze':
        if (workers.isFrozen(fault.worker)) return false;
        workers.freeze(fault.worker);
        this.#thawing.push(sleep(fault.ms).then(() => workers.thaw(fault.worker)));
        return true;
      case 'restart':
        await cluster.restart('immediate');
        return true;
      case 'terminate':
        return terminateBackends(cluster.url, fault.shares);
      case 'exhaust':
        return (await exhaustConnections(cluster.url, fault.ms)) > 0;
    }
  }
}

export function describeFault(fault: Fault): string {
  const rest = Object.entries(fault).filter(([name]) => name !== 'kind');
  return [fault.kind, ...rest.map(([name, value]) => `${name} ${value}`)].join(' ');
}

/**
 * A server that another fault has restarted takes that long, at most, to let somebody in on a busy machine.
 */
const CONNECT_WITHIN_MS = 60_000;

/**
 * Right after another fault there may be nothing to terminate, or no connection to do it: it waits for both.
 */
async function terminateBackends(url: string, shares: readonly number[]): Promise<boolean> {
  const untilMs = performance.now() + CONNECT_WITHIN_MS;
  while (performance.now() < untilMs) {
    const client = await connect(url);
    try {
      const rows = (await client?.query(BACKENDS))?.rows ?? [];
      const pids = new Set(shares.map((share) => rows[Math.floor(share * rows.length)]?.pid));
      pids.delete(undefined);
      await client?.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as t (pid)', [
        [...pids],
      ]);
      if (pids.size > 0) return true;
    } catch {
      // The server went away under it.
    } finally {
      await client?.end().catch(() => undefined);
    }
    await sleep(100);
  }
  return false;
}

const BACKENDS = `
select pid from pg_stat_activity
where application_name like 'millrace%' and pid <> pg_backend_pid() order by backend_start, pid`;

/**
 * Takes connections until there are none, keeps them for a while from the first on, and returns how many it
 * had.
 */
async function exhaustConnections(url: string, holdMs: number): Promise<number> {
  const taken: pg.Client[] = [];
  let untilMs = performance.now() + CONNECT_WITHIN_MS;
  while (performance.now() < untilMs) {
    const client = await connect(url);
    // What a worker gives up is taken as well, so that none gets a new one meanwhile.
    if (client === null) await sleep(20);
    else if (taken.push(client) === 1) untilMs = performance.now() + holdMs;
  }
  await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
  return taken.length;
}

async function connect(url: string): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'chaos',
    connectionTimeoutMillis: 10_000,
  });
  // A connection that the server ends meanwhile is no matter of ours.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch {
    await client.end().catch(() => undefined);
    return null;
  }
}
