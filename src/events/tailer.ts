import { setTimeout as sleep } from 'node:timers/promises';
import { toError } from '../core/errors.ts';
import { backoffMs } from '../db/backoff.ts';
import { createOutageLog, type OutageLog } from '../db/outage-log.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Change } from './change.ts';
import type { MissedNotificationMonitor } from './missed-notification-monitor.ts';
import type { Position } from './position.ts';
import { planResume, type ResyncReason } from './resume.ts';
import type { TailReader } from './tail-reader.ts';
import { Wake } from './wake.ts';

/**
 * Receives what the tailer reads. Nothing here may wait: what cannot be handed on is dropped and caught up
 * later.
 */
export interface TailSink {
  /** Changes after `before`: a whole range, or a page of a large one. */
  changed(changes: readonly Change[], before: Position): void;
  /** The range is complete: all up to `position` has been handed over. */
  reached(position: Position): void;
  /** The server came back from a restart; what follows begins at `position`, earlier than before. */
  restarted(position: Position): void;
  /** There is no way on from the last position; what follows begins at `position`. */
  lost(reason: ResyncReason, position: Position): void;
}

export interface TailerOptions {
  readonly reader: TailReader;
  readonly sink: TailSink;
  readonly log: Logger;
  /** Hears of notifications and looks, to find changes that no notification announced. */
  readonly missedNotifications?: MissedNotificationMonitor;
  /** Longest time without a look, for notifications that were lost; 500 by default. */
  readonly pollIntervalMs?: number;
  /**
   * Least time between two looks while changes keep coming, so that they are read in batches; 10 by default.
   */
  readonly busyIntervalMs?: number;
  /** Rows that one statement may bring; more are read in pages. 1,000 by default. */
  readonly maxRows?: number;
}

/** A look that takes longer has lost its connection without an error. */
const LOOK_TIMEOUT_MS = 15_000;

/**
 * Follows the changes of all tenants by the difference of snapshots: one loop a process, woken by
 * notifications, and while anybody watches also by the clock. Outages of the database are waited out, however
 * long.
 */
export class Tailer {
  readonly #options: TailerOptions;
  readonly #outages: OutageLog;
  readonly #stopping = new AbortController();
  readonly #wake = new Wake();
  #position: Position | null = null;
  #whenPositioned = Promise.withResolvers<void>();
  #isWanted = false;
  /** When the notification came for what has not been read yet. */
  #notifiedAtMs: number | null = null;
  #heardAtMs = performance.now();
  #lookedAtMs = performance.now();
  /** When the position was last confirmed or moved on. */
  #completeAtMs = performance.now();
  #running: Promise<void> | undefined;

  constructor(options: TailerOptions) {
    this.#options = options;
    this.#outages = createOutageLog(options.log, 'feed');
  }

  /** Up to where everything has been handed to the sink; null while nobody watches. */
  get position(): Position | null {
    return this.#position;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends the loop and whatever waits for a position. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#options.missedNotifications?.clear();
    this.#wake.signal();
    await this.#running;
    this.#whenPositioned.resolve();
  }

  /**
   * When what is being handed out was seen, ms on the monotonic clock; without a notification, when it
   * could not have been seen yet.
   */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Since the last complete look; null while nobody watches. */
  get lagSeconds(): number | null {
    return this.#isWanted ? (performance.now() - this.#completeAtMs) / 1_000 : null;
  }

  /** Look now. */
  signal(): void {
    this.#notifiedAtMs ??= performance.now();
    this.#options.missedNotifications?.notified();
    this.#wake.signal();
  }

  /** Whether anybody watches; without, the loop rests and forgets where it stood. */
  want(isWanted: boolean): void {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    this.#completeAtMs = performance.now();
    this.#wake.signal();
  }

  /**
   * Resolves once there is a position. What is read from the database afterwards misses nothing before it.
   */
  async positioned(): Promise<void> {
    while (this.#position === null && !this.#stopping.signal.aborted) await this.#whenPositioned.promise;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      this.#wake.reset();
      if (!this.#isWanted) {
        this.#position = null;
        this.#options.missedNotifications?.startAfresh();
        await this.#wake.wait();
        continue;
      }
      const startedMs = performance.now();
      this.#heardAtMs = this.#notifiedAtMs ?? this.#lookedAtMs;
      this.#notifiedAtMs = null;
      this.#lookedAtMs = startedMs;
      this.#options.missedNotifications?.lookBegins();
      try {
        const isBusy = await this.#look();
        failures = 0;
        this.#outages.recovered();
        const busyMs = (this.#options.busyIntervalMs ?? 10) - (performance.now() - startedMs);
        if (!isBusy) await this.#wake.wait(this.#options.pollIntervalMs ?? 500);
        else if (busyMs > 0) await sleep(busyMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) break;
        this.#outages.failed(toError(error));
        // The notification for it has come: the next look answers those too.
        this.#options.missedNotifications?.startAfresh();
        await sleep(backoffMs(++failures), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** One look; true when there was something to see. */
  async #look(): Promise<boolean> {
    const { reader, sink } = this.#options;
    const before = this.#position;
    if (before === null) {
      this.#moveTo(await within(reader.position(), LOOK_TIMEOUT_MS));
      return false;
    }
    const tail = await within(reader.since(before.snapshot, this.#options.maxRows ?? 1_000), LOOK_TIMEOUT_MS);
    if (tail === null) return this.#lookInPages(before);
    const after: Position = {
      server: { ...before.server, life: tail.life },
      snapshot: tail.snapshot,
      takenAtMs: tail.nowMs,
    };
    if (!goesOn(before, after)) return this.#comeBack(before);
    if (tail.changes.length > 0) {
      this.#options.missedNotifications?.found();
      sink.changed(tail.changes, before);
    }
    this.#moveTo(after);
    sink.reached(after);
    return tail.changes.length > 0;
  }

  async #lookInPages(before: Position): Promise<boolean> {
    const { reader, sink } = this.#options;
    let after = before;
    const onStart = (position: Position): boolean => {
      after = position;
      return goesOn(before, position);
    };
    await reader.pagesSince(before.snapshot, onStart, (changes) => sink.changed(changes, before));
    if (!goesOn(before, after)) return this.#comeBack(before);
    this.#options.missedNotifications?.found();
    this.#moveTo(after);
    sink.reached(after);
    return true;
  }

  /**
   * After a restart of the server, or an absence so long that traces are gone: the same rule as for a
   * client's cursor.
   */
  async #comeBack(before: Position): Promise<boolean> {
    const { log, reader, sink } = this.#options;
    const now = await within(reader.position(), LOOK_TIMEOUT_MS);
    const plan = planResume(before, now);
    // What follows was announced long ago.
    this.#options.missedNotifications?.startAfresh();
    if (plan.kind === 'from') {
      log.info({ what: 'feed' }, 'feed: the database was restarted, reading again from before');
      this.#moveTo(plan.position);
      sink.restarted(plan.position);
    } else {
      log.warn({ what: 'feed', reason: plan.reason }, 'feed: cannot go on, subscribers start afresh');
      this.#moveTo(now);
      sink.lost(plan.reason, now);
    }
    return true;
  }

  #moveTo(position: Position): void {
    this.#position = position;
    this.#completeAtMs = performance.now();
    this.#whenPositioned.resolve();
    this.#whenPositioned = Promise.withResolvers();
  }
}

/** True when `after` can simply follow. */
function goesOn(before: Position, after: Position): boolean {
  const plan = planResume(before, after);
  return plan.kind === 'from' && plan.position === before;
}

/** Fails when the answer takes longer: a connection can be lost without any notice. */
async function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
