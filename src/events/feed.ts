import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { WATCH_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';
import type { Logger } from '../telemetry/log.ts';
import type { FeedEvent } from './change.ts';
import { decodeCursor } from './cursor.ts';
import { checkFilter, type JobFilter } from './filter.ts';
import { Hub } from './hub.ts';
import { JobSubscription } from './job-subscription.ts';
import type { Position } from './position.ts';
import { StateReader } from './state-reader.ts';
import { TailReader } from './tail-reader.ts';
import { Tailer } from './tailer.ts';
import { type VideoEvent, VideoSubscription } from './video-subscription.ts';

export interface FeedOptions {
  readonly database: Database;
  /** Must listen on the watch channel; its owner starts and stops it. Null: polling alone. */
  readonly listener: Listener | null;
  readonly log: Logger;
  /** Longest time until a change without a ring is seen; 500 by default. */
  readonly pollIntervalMs?: number;
  /** An idle subscription gets a later cursor after this long; 60,000 by default. */
  readonly checkpointMs?: number;
  /** Jobs that wait for a slow consumer one by one; 2,000 by default. */
  readonly maxPending?: number;
}

/** Changes of jobs and videos as streams: gapless, resumable, and bounded in memory however slow a consumer is. */
export interface Feed {
  start(): void;
  /** Ends every stream and the reading. May be called any number of times. */
  stop(): Promise<void>;
  /**
   * Watches jobs. Without `after`: the initial state, `ready`, then changes. With the cursor of an earlier event: everything
   * since, then changes. Nothing is held until the first `next()`; `return()` frees at once.
   * @throws DomainError `InvalidArgument` for a malformed cursor (field `after`) or filter
   */
  subscribe(filter: JobFilter, after?: string | null): AsyncIterableIterator<FeedEvent, undefined>;
  /** Watches one video, the jobs about it and their progress; begins with an event. */
  subscribeVideo(tenantId: string, videoId: string): AsyncIterableIterator<VideoEvent, undefined>;
  /** Streams under way. */
  readonly memberCount: number;
  /** Where the tail stands; null while nobody watches. */
  readonly position: Position | null;
}

/** Jobs that a stream which has missed many reads at a time. */
const PAGE_SIZE = 2_000;

/** Makes the feed of a process: one tailer, one hub. */
export function createFeed(options: FeedOptions): Feed {
  return new RunningFeed(options);
}

class RunningFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #hub: Hub;
  readonly #tailer: Tailer;
  readonly #unsubscribe: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FeedOptions) {
    const { database, log, pollIntervalMs } = options;
    this.#options = options;
    this.#hub = new Hub({ states: new StateReader(database), log, tailer: () => this.#tailer });
    this.#tailer = new Tailer({
      reader: new TailReader(database),
      sink: this.#hub,
      log,
      ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
    });
  }

  get memberCount(): number {
    return this.#hub.memberCount;
  }

  get position(): Position | null {
    return this.#tailer.position;
  }

  start(): void {
    if (this.#timer !== undefined) return;
    const { listener, checkpointMs = 60_000 } = this.#options;
    const ring = (): void => this.#tailer.ring();
    if (listener !== null) this.#unsubscribe.push(listener.on(WATCH_CHANNEL, ring), listener.onConnect(ring));
    this.#timer = setInterval(() => this.#hub.refresh(checkpointMs), checkpointMs / 2);
    this.#tailer.start();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    this.#hub.close();
    await this.#tailer.stop();
  }

  subscribe(filter: JobFilter, after?: string | null): JobSubscription {
    return new JobSubscription({
      home: this.#hub,
      filter: checkFilter(filter),
      after: after === undefined || after === null ? null : decodeCursor(after),
      maxPending: this.#options.maxPending ?? 2_000,
      pageSize: PAGE_SIZE,
    });
  }

  subscribeVideo(tenantId: string, videoId: string): VideoSubscription {
    for (const [field, id] of Object.entries({ tenantId, videoId })) {
      if (!isUuid(id))
        throw new DomainError('InvalidArgument', `${field}: ${JSON.stringify(id)} is not a UUID`, {
          field,
          allowed: 'a UUID',
        });
    }
    return new VideoSubscription(this.#hub, tenantId.toLowerCase(), videoId.toLowerCase());
  }
}
