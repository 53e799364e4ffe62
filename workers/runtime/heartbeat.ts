import { toError } from '../../src/core/errors.ts';
import type { HeartbeatQueue } from '../../src/core/worker-records.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { BlockedGuard } from './blocked-guard.ts';
import type { HeartbeatNews, HeartbeatOrder, HeartbeatSetup } from './heartbeat-messages.ts';
import type { HeldLease } from './lease-batch.ts';
import { LeaseRegistry } from './lease-registry.ts';
import { monotonicMs } from './shared-lease-table.ts';

export interface HeartbeatDeps {
  readonly setup: HeartbeatSetup;
  readonly queue: HeartbeatQueue;
  readonly log: Logger;
  readonly report: (news: HeartbeatNews) => void;
}

/** The worker's row says that it lives at least this often. */
const SEEN_EVERY_MS = 5_000;

/** What the heartbeat thread does: renews leases, says that the worker lives, and guards the deadlines. */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  readonly #registry: LeaseRegistry;
  readonly #guard: BlockedGuard;
  #seenMs = Number.NEGATIVE_INFINITY;
  #stopping = false;
  #gaveUp = false;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
    this.#registry = new LeaseRegistry(deps.setup.places);
    this.#guard = new BlockedGuard(deps.setup.pulse, deps.setup.blockedAfterMs, performance.now());
  }

  obey(order: Exclude<HeartbeatOrder, { kind: 'close' }>): void {
    switch (order.kind) {
      case 'hold':
        this.#registry.hold(order.batches, performance.now());
        return;
      case 'stopping':
        this.#stopping = true;
        this.#seenMs = Number.NEGATIVE_INFINITY;
    }
  }

  /** Watches the main loop; to be called about twice a second, also while a round waits for the database. */
  watch(): void {
    this.#guard.look(performance.now());
  }

  /**
   * One round: the guard first, then whatever is due.
   * @throws what the database throws; the next round tries again
   */
  async beat(): Promise<void> {
    if (this.#gaveUp && this.#guard.isSilent(performance.now())) return;
    this.#gaveUp = false;
    const blocking = this.#guard.blocking(this.#registry, performance.now(), monotonicMs());
    if (blocking.length > 0) return this.#abandon(blocking);
    await this.#renew();
    await this.#beSeen();
  }

  /** The worker has stopped in good order; an unreachable database leaves its row to the pruner. */
  async signOff(): Promise<void> {
    const { queue, setup, log } = this.#deps;
    await queue.removeWorker(setup.workerId).catch((error: unknown) => {
      log.debug({ reason: toError(error).message }, 'heartbeat: could not sign off');
    });
  }

  async #renew(): Promise<void> {
    // Measured before the statement: a lease counts from when the database renewed it, which is later.
    const nowMs = performance.now();
    const due = this.#registry.due(nowMs);
    if (due.length === 0) return;
    const { lost, busy, cancelRequested } = await this.#deps.queue.heartbeat(
      due.map(({ lease }) => lease),
      due.map(({ leaseSeconds }) => leaseSeconds),
    );
    this.#registry.renewed(
      due.filter(({ lease }) => !busy.includes(lease.jobId)),
      nowMs,
    );
    this.#deps.report({ kind: 'renewed', count: due.length - lost.length - busy.length });
    if (lost.length + cancelRequested.length === 0) return;
    // A run that was settled while the statement was under way is not lost, it is over.
    const keysOf = (ids: readonly string[]): readonly string[] =>
      due
        .filter(({ key, lease }) => ids.includes(lease.jobId) && this.#registry.has(key))
        .map(({ key }) => key);
    const lostKeys = keysOf(lost);
    this.#registry.forget(lostKeys);
    this.#deps.report({ kind: 'runs', lost: lostKeys, cancelRequested: keysOf(cancelRequested) });
  }

  async #beSeen(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#seenMs < SEEN_EVERY_MS) return;
    const { setup, queue } = this.#deps;
    await queue.noteWorker({ ...setup, runningCount: this.#registry.size, isStopping: this.#stopping });
    this.#seenMs = nowMs;
  }

  /**
   * The main loop is blocked beyond a deadline: say by whom, hand back what has not begun, end the process.
   * With the process goes what runs beside, so that is handed back too, and the loss is charged to those that
   * block.
   */
  async #abandon(blocking: readonly HeldLease[]): Promise<void> {
    const { setup, queue, log } = this.#deps;
    this.#gaveUp = true;
    const others = setup.exitWhenBlocked ? this.#registry.allBut(blocking) : this.#registry.notBegun();
    log.fatal(
      {
        blocked_by: blocking.map(({ definitionKey, lease }) => ({
          definition_key: definitionKey,
          job_id: lease.jobId,
        })),
        silent_ms: setup.blockedAfterMs,
        handed_back: others.length,
        exits: setup.exitWhenBlocked,
      },
      `A handler blocks the event loop beyond its deadline: ${blocking.map(({ definitionKey }) => definitionKey).join(', ')}`,
    );
    try {
      await queue.handBack(others.map(({ lease }) => lease));
    } catch (error) {
      log.error(
        { reason: toError(error).message },
        'heartbeat: could not hand back; the leases will run out',
      );
    }
    // SIGKILL: a signal handler, or process.exit() from a thread, would need the loop that is blocked.
    if (setup.exitWhenBlocked) process.kill(setup.pid, 'SIGKILL');
  }
}
