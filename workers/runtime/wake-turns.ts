import type { Peer, WorkerRecords } from '../../src/core/worker-records.ts';
import type { Wakeup } from './wakeup.ts';

/**
 * Peers are looked up again when they are this old and a notification comes; an idle platform asks nothing.
 */
const PEERS_FOR_MS = 5_000;
/** When the first of the others looks, should the one whose turn it was be busy or gone. */
const SECOND_AFTER_MS = 50;

/**
 * Which workers a notification of work wakes. Every worker hears all of them; with twenty idle ones, nineteen
 * claims of each job found nothing. All put the workers that serve the same definitions into one order, which
 * each notification shuffles again; the first claim, as many as there are jobs. The next one looks 50 ms
 * later, and whatever all of them miss is found by their polls.
 */
export class WakeTurns {
  readonly #queue: WorkerRecords;
  readonly #workerId: string;
  readonly #wakeup: Wakeup;
  #peers: readonly Peer[] = [];
  #readMs = Number.NEGATIVE_INFINITY;
  #second: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(queue: WorkerRecords, workerId: string, wakeup: Wakeup) {
    this.#queue = queue;
    this.#workerId = workerId;
    this.#wakeup = wakeup;
  }

  /** To be called with the payload of each notification of work. */
  notified(payload: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#readMs > PEERS_FOR_MS) {
      this.#readMs = nowMs;
      void this.#read();
    }
    const jobs = jobsOf(payload);
    const turn = payload === '' ? 0 : turnOf(this.#workerId, this.#peers, payload);
    if (turn < jobs) this.#wakeup.signalOf(jobs);
    else if (turn === jobs) this.#second ??= setTimeout(() => this.#look(), SECOND_AFTER_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#second);
  }

  #look(): void {
    this.#second = undefined;
    this.#wakeup.signal();
  }

  /** Without an answer it goes on with those it knows: with none it wakes at every notification. */
  async #read(): Promise<void> {
    const peers = await this.#queue.peersOf(this.#workerId).catch(() => undefined);
    if (peers !== undefined && !this.#isClosed) this.#peers = peers;
  }
}

function jobsOf(payload: string): number {
  const jobs = Number(/\/(\d{1,9})$/.exec(payload)?.[1] ?? 1);
  return Math.max(1, jobs);
}

/**
 * A worker's place among its peers for one notification: those that have a free slot first. 0 while it is not
 * among them.
 */
export function turnOf(workerId: string, peers: readonly Peer[], payload: string): number {
  const own = peers.find((peer) => peer.workerId === workerId);
  if (own === undefined) return 0;
  const ownHash = hashOf(payload, workerId);
  return peers.filter(({ workerId: id, isBusy }) => {
    if (isBusy !== own.isBusy) return own.isBusy;
    const hash = hashOf(payload, id);
    return hash < ownHash || (hash === ownHash && id < workerId);
  }).length;
}

/**
 * FNV-1a, with its bits mixed again: texts that differ in their last figure must not keep their order.
 */
function hashOf(payload: string, workerId: string): number {
  let hash = 0x811c9dc5;
  for (const character of `${payload} ${workerId}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
