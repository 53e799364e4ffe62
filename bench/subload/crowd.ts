import { machineMs } from '../measuring/clock.ts';
import { Subscriber, type Target } from './subscriber.ts';

const WAIT_MS = 600_000;

/** When the messages that were waited for came. */
export interface Arrivals {
  /** The machine's clock, one for each that came. */
  readonly atMs: readonly number[];
  /** One of the messages. */
  readonly sample: string;
  /** How many had not come when the time was up. */
  readonly missing: number;
}

interface Expected {
  readonly marker: string;
  readonly count: number;
  readonly atMs: number[];
  readonly seen: Set<Subscriber>;
  sample: string;
  readonly done: () => void;
}

/** Many subscribers in this process, and one kind of message at a time that is waited for. */
export class Crowd {
  #all: readonly Subscriber[] = [];
  #expected: Expected | null = null;
  /** Connections lost, errors of operations: what should not be, and how often. */
  readonly odd = new Map<string, number>();

  /** Connects N clients, some at a time. @returns how long it took */
  async open(target: Target, count: number, atOnce: number): Promise<number> {
    const startedMs = machineMs();
    const note = (what: string): void => void this.odd.set(what, (this.odd.get(what) ?? 0) + 1);
    const events = {
      next: (subscriber: Subscriber, message: Buffer) => this.#arrived(subscriber, message),
      odd: (_: Subscriber, what: string) => note(what),
      lost: (_: Subscriber, code: number | null) => note(`connection lost with ${code}`),
    };
    this.#all = Array.from({ length: count }, (_, index) => new Subscriber(index, events));
    const waiting = [...this.#all];
    const openNext = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        await next.open(target).catch((error: Error) => note(`not connected: ${error.message}`));
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, count) }, openNext));
    return machineMs() - startedMs;
  }

  /**
   * Begins the operation in those from `from` (of `to`), the next one's variables each.
   * @returns when the first message with `until` in it came to each
   */
  subscribe(
    query: string,
    variables: readonly object[],
    range: { readonly from: number; readonly to: number },
    until: string,
  ): Promise<Arrivals> {
    const chosen = this.#all.slice(range.from, range.to);
    const arrivals = this.expect(until, chosen.length);
    chosen.forEach((subscriber, n) => {
      subscriber.subscribe(query, variables[n % variables.length] as object);
    });
    return arrivals;
  }

  /** Waits until N subscribers have got a message with `marker` in it. */
  async expect(marker: string, count: number): Promise<Arrivals> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const expected: Expected = { marker, count, atMs: [], seen: new Set(), sample: '', done: resolve };
    this.#expected = expected;
    const timer = setTimeout(resolve, WAIT_MS);
    await promise;
    clearTimeout(timer);
    this.#expected = null;
    return { atMs: expected.atMs, sample: expected.sample, missing: count - expected.atMs.length };
  }

  close(): void {
    for (const subscriber of this.#all) subscriber.cut();
    this.#all = [];
  }

  #arrived(subscriber: Subscriber, message: Buffer): void {
    const expected = this.#expected;
    if (expected === null || !message.includes(expected.marker) || expected.seen.has(subscriber)) return;
    expected.seen.add(subscriber);
    expected.atMs.push(machineMs());
    if (expected.atMs.length === 1) expected.sample = message.toString();
    if (expected.atMs.length === expected.count) expected.done();
  }
}
