import type { JobSummary } from './job-summary.ts';
import { JobSummaryBoard } from './job-summary-board.ts';
import type { JobSummaryReader } from './job-summary-reader.ts';
import { JobSummarySubscription, type SummaryHome } from './job-summary-subscription.ts';
import type { Home } from './member.ts';

/** An answer is given out again for this many times what it took to count, so that asking often costs no more than watching. */
const REUSE_FACTOR = 10;
const MAX_REUSE_MS = 5_000;

/** The boards of the tenants whose counts somebody watches, and single answers for those who only ask. */
export class JobSummaries {
  readonly #home: Home;
  readonly #reader: JobSummaryReader;
  readonly #boards = new Map<string, JobSummaryBoard>();
  readonly #answers = new Map<string, Promise<JobSummary>>();

  constructor(home: Home, reader: JobSummaryReader) {
    this.#home = home;
    this.#reader = reader;
  }

  /** Tenants whose counts are watched; each is one member of the hub. */
  get boardCount(): number {
    return this.#boards.size;
  }

  /** Streams of counts. */
  get subscriptionCount(): number {
    return [...this.#boards.values()].reduce((sum, board) => sum + board.subscriptionCount, 0);
  }

  /** A stream of one tenant's counts; nothing is held before its first `next()`. */
  subscribe(tenantId: string, sinceSeconds: number): JobSummarySubscription {
    // The board is looked up when the stream begins: the one of now may be closed by then.
    const home: SummaryHome = {
      join: (subscription) => this.#boardOf(tenantId).join(subscription),
      leave: (subscription) => this.#boards.get(tenantId)?.leave(subscription),
    };
    return new JobSummarySubscription(home, tenantId, sinceSeconds);
  }

  /** The counts, once. Whoever asks at the same time, or right after, gets the same answer. */
  read(tenantId: string, sinceSeconds: number): Promise<JobSummary> {
    const key = `${tenantId}/${sinceSeconds}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#count(key, tenantId, sinceSeconds);
    this.#answers.set(key, answer);
    return answer;
  }

  async #count(key: string, tenantId: string, sinceSeconds: number): Promise<JobSummary> {
    let reuseMs = 0;
    try {
      const { bySeconds, tookMs } = await this.#reader.count(tenantId, [sinceSeconds]);
      reuseMs = Math.min(REUSE_FACTOR * tookMs, MAX_REUSE_MS);
      const summary = bySeconds.get(sinceSeconds);
      if (summary === undefined) throw new TypeError(`Nothing was counted for ${sinceSeconds} s`);
      return summary;
    } finally {
      setTimeout(() => this.#answers.delete(key), reuseMs).unref();
    }
  }

  #boardOf(tenantId: string): JobSummaryBoard {
    const known = this.#boards.get(tenantId);
    if (known !== undefined) return known;
    const board = new JobSummaryBoard(this.#home, this.#reader, tenantId, () => {
      if (this.#boards.get(tenantId) === board) this.#boards.delete(tenantId);
    });
    this.#boards.set(tenantId, board);
    return board;
  }
}
