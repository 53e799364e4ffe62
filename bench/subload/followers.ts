import { setTimeout as delay } from 'node:timers/promises';
import { FOLLOW, Follower } from './follower.ts';
import { Subscriber, type Target } from './subscriber.ts';

const CONNECTS_AT_ONCE = 100;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 3_000;
const LOOK_MS = 200;

/** What was seen, of all followers together. */
export interface FollowersReport {
  /** Followers that do not know the truth, and one of them in words. */
  readonly staleCount: number;
  readonly example: string | null;
  readonly wentBackCount: number;
  readonly resyncCount: number;
  /** Errors of the operation: `next` with errors, `error`, `complete`. */
  readonly errorCount: number;
  readonly reconnectCount: number;
  /** How the server ended connections, and how often. */
  readonly closeCodes: Readonly<Record<string, number>>;
  readonly oddExamples: readonly string[];
}

interface Following {
  readonly key: string;
  readonly subscriber: Subscriber;
  readonly follower: Follower;
}

/** Versions by job, by correlation id. */
export type Truth = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Clients that come back with their cursor whenever they lose their connection, for whatever reason. */
export class Followers {
  readonly #target: Target;
  readonly #all: Following[] = [];
  readonly #closeCodes: Record<string, number> = {};
  readonly #oddExamples: string[] = [];
  /** Those that wait for a connection. */
  readonly #waiting: Following[] = [];
  #connecting = 0;
  #reconnectCount = 0;
  #oddCount = 0;
  #isStopped = false;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Connects N clients, each to one of the keys in turn. Resolves when all are connected. */
  async open(count: number, keys: readonly string[]): Promise<void> {
    const events = {
      next: (subscriber: Subscriber, message: Buffer) => {
        const wrong = this.#all[subscriber.index]?.follower.take(message) ?? null;
        if (wrong !== null) this.#note(wrong);
      },
      odd: (_: Subscriber, what: string) => {
        this.#oddCount++;
        this.#note(what);
      },
      lost: (subscriber: Subscriber, code: number | null) => {
        const shown = String(code ?? 'cut off');
        this.#closeCodes[shown] = (this.#closeCodes[shown] ?? 0) + 1;
        void this.#comeBack(this.#all[subscriber.index] as Following);
      },
    };
    for (let index = 0; index < count; index++) {
      this.#all.push({
        key: keys[index % keys.length] as string,
        subscriber: new Subscriber(index, events),
        follower: new Follower(),
      });
    }
    this.#waiting.push(...this.#all);
    this.#connectSome();
    while (this.#all.some(({ subscriber }) => !subscriber.isOpen)) await delay(LOOK_MS);
  }

  /** Cuts the connections of a random share of them, 0 to 1. */
  cut(share: number): void {
    for (const following of this.#all) {
      if (Math.random() >= share || !following.subscriber.isOpen) continue;
      following.subscriber.cut();
      void this.#comeBack(following);
    }
  }

  /** Waits until all know the truth, or the time is up. */
  async converge(truth: Truth, waitMs: number): Promise<FollowersReport> {
    const deadline = performance.now() + waitMs;
    const stale = (): Following[] =>
      this.#all.filter(({ key, follower }) => follower.differences(truth[key] ?? {}) > 0);
    while (performance.now() < deadline && stale().length > 0) await delay(LOOK_MS);
    const left = stale();
    const sum = (of: (follower: Follower) => number): number =>
      this.#all.reduce((total, { follower }) => total + of(follower), 0);
    return {
      staleCount: left.length,
      example: left[0] === undefined ? null : describe(left[0], truth),
      wentBackCount: sum(({ wentBackCount }) => wentBackCount),
      resyncCount: sum(({ resyncCount }) => resyncCount),
      errorCount: this.#oddCount + sum(({ errorCount }) => errorCount),
      reconnectCount: this.#reconnectCount,
      closeCodes: this.#closeCodes,
      oddExamples: this.#oddExamples,
    };
  }

  stop(): void {
    this.#isStopped = true;
    for (const { subscriber } of this.#all) subscriber.cut();
  }

  #note(what: string): void {
    if (this.#oddExamples.length < 5) this.#oddExamples.push(what.slice(0, 600));
  }

  async #comeBack(following: Following): Promise<void> {
    this.#reconnectCount++;
    await delay(FIRST_BACKOFF_MS * Math.random());
    this.#waiting.push(following);
    this.#connectSome();
  }

  #connectSome(): void {
    while (this.#connecting < CONNECTS_AT_ONCE && !this.#isStopped) {
      const next = this.#waiting.pop();
      if (next === undefined) return;
      this.#connecting++;
      void this.#connect(next).finally(() => {
        this.#connecting--;
        this.#connectSome();
      });
    }
  }

  /** Tries until it is connected. */
  async #connect({ key, subscriber, follower }: Following): Promise<void> {
    for (
      let backoffMs = FIRST_BACKOFF_MS;
      !this.#isStopped;
      backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS)
    ) {
      try {
        await subscriber.open(this.#target);
        subscriber.subscribe(FOLLOW, { key, after: follower.cursor });
        return;
      } catch {
        // The server or its database is away: that is what is being tried.
        await delay(backoffMs * (0.5 + Math.random()));
      }
    }
  }
}

function describe({ key, subscriber, follower }: Following, truth: Truth): string {
  const wrong = Object.entries(truth[key] ?? {}).filter(
    ([id, version]) => follower.versions.get(id) !== version,
  );
  const [id, version] = wrong[0] ?? [];
  const known =
    id === undefined ? 'jobs that are gone' : `${id} in version ${follower.versions.get(id)}, not ${version}`;
  return `${key}, ${subscriber.isOpen ? 'connected' : 'not connected'}, ${wrong.length} wrong: ${known}`;
}
