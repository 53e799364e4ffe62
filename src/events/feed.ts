import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { LOG_START, type LogPosition } from '../core/job-log.ts';
import { decodeLogCursor } from '../core/log-cursor.ts';
import { WATCH_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import type { FeedTable } from '../db/feed-table.ts';
import type { Listener } from '../db/listener.ts';
import { type FeedMetrics, NO_FEED_METRICS } from '../telemetry/feed-metrics.ts';
import type { Logger } from '../telemetry/log.ts';
import { isOfJob } from './change.ts';
import { decodeCursor } from './cursor.ts';
import { EntitySubscription } from './entity-subscription.ts';
import { checkFilter, type JobFilter } from './filter.ts';
import { Hub } from './hub.ts';
import { JobSubscription } from './job-subscription.ts';
import { JobSummaries } from './job-summaries.ts';
import { checkWindow, type JobSummary } from './job-summary.ts';
import { JobSummaryReader } from './job-summary-reader.ts';
import type { JobSummarySubscription } from './job-summary-subscription.ts';
import type { ListKind, ListName, Trace } from './list-kind.ts';
import { ListSubscription } from './list-subscription.ts';
import { type LogPage, LogReader } from './log-reader.ts';
import { LogSubscription } from './log-subscription.ts';
import { LogTails } from './log-tails.ts';
import { MissedNotificationMonitor } from './missed-notification-monitor.ts';
import type { Position } from './position.ts';
import { StateReader } from './state-reader.ts';
import { TailReader } from './tail-reader.ts';
import { Tailer } from './tailer.ts';

export interface FeedOptions {
  readonly database: Database;
  /** The tables of the domains whose entities are followed, besides jobs. */
  readonly tables: readonly FeedTable[];
  /**
   * Must listen on the watch channel, and on the log channel for logs; its owner starts and stops it. Null:
   * polling alone.
   */
  readonly listener: Listener | null;
  readonly log: Logger;
  readonly metrics?: FeedMetrics;
  /** Longest time until a change without a notification is seen; 500 by default. */
  readonly pollIntervalMs?: number;
  /** An idle subscription gets a later cursor after this long; 60,000 by default. */
  readonly checkpointMs?: number;
  /** Jobs that wait for a slow consumer one by one; 2,000 by default. */
  readonly maxPending?: number;
}

/**
 * Changes of jobs and of domains' entities as streams: gapless, resumable, and bounded in memory however slow
 * a consumer is.
 */
export interface Feed {
  start(): void;
  /** Ends every stream and the reading. May be called any number of times. */
  stop(): Promise<void>;
  /**
   * Watches jobs. Without `after`: the initial state, `ready`, then changes. With the cursor of an earlier
   * event: everything since, then changes. Nothing is held until the first `next()`; `return()` frees at
   * once.
   * @throws DomainError `InvalidArgument` for a malformed cursor (field `after`) or filter
   */
  subscribe(filter: JobFilter, after?: string | null): JobSubscription;
  /**
   * The same for a list of a domain's entities (see `entityList`).
   * @throws DomainError `InvalidArgument` for a malformed cursor (field `after`)
   */
  subscribeList<T extends Trace, Event>(
    list: (database: Database) => ListKind<T, Event>,
    after?: string | null,
  ): ListSubscription<T, Event>;
  /** Watches one entity of a domain, the jobs about it and their progress; begins with an event. */
  subscribeEntity(watched: WatchedEntity): EntitySubscription<EntityEvent>;
  /**
   * Watches how many of a tenant's jobs stand where: the counts of now, then newer ones when they differ, at
   * most two a second.
   * @param sinceSeconds the window of finished jobs; 3,600 by default
   * @throws DomainError `InvalidArgument` for another window than those of `SUMMARY_WINDOWS_SECONDS`
   */
  subscribeSummary(tenantId: string, sinceSeconds?: number | null): JobSummarySubscription;
  /**
   * A page of a job's log behind a place: at most 1,000 lines, and few of those that are long. Undefined once
   * `isOver`.
   * @throws whatever the database refuses
   */
  readLog(
    tenantId: string,
    jobId: string,
    after: LogPosition,
    isOver: () => boolean,
  ): Promise<LogPage | undefined>;
  /**
   * Follows the log of one job: its stored lines after `after`, the cursor of an earlier event or line, then
   * those that come. Ends with an event that says so when the job has ended and all its lines have come
   * (`untilFinal`, the default), or is deleted.
   * @throws DomainError `InvalidArgument` for a malformed cursor (field `after`) or id
   */
  subscribeLog(
    tenantId: string,
    jobId: string,
    options?: { readonly after?: string | null; readonly untilFinal?: boolean },
  ): LogSubscription;
  /** The same counts, once. @throws DomainError as `subscribeSummary` */
  readSummary(tenantId: string, sinceSeconds?: number | null): Promise<JobSummary>;
  /** Countings of summaries since the start. */
  readonly summaryCount: number;
  /** Streams under way. */
  readonly memberCount: number;
  /** Since the last complete look at what has changed; null while nobody watches. */
  readonly lagSeconds: number | null;
  /** Where the tail stands; null while nobody watches. */
  readonly position: Position | null;
}

/** One entity to watch. */
export interface WatchedEntity {
  /** As its feed table calls it, and jobs their subject: `video`. */
  readonly entity: string;
  readonly tenantId: string;
  readonly id: string;
  /** Changes of what belongs to it count as its own; false by default. */
  readonly withParts?: boolean;
}

/** That an entity, a job about it or that job's progress changed: look at it again. */
export interface EntityEvent {
  readonly kind: 'entity';
  readonly entity: string;
  readonly tenantId: string;
  readonly id: string;
}

/** Things that a stream which has missed many reads at a time. */
const PAGE_SIZE = 2_000;

/** Makes the feed of a process: one tailer, one hub. */
export function createFeed(options: FeedOptions): Feed {
  return new RunningFeed(options);
}

class RunningFeed implements Feed {
  readonly #options: FeedOptions;
  readonly #hub: Hub;
  readonly #tailer: Tailer;
  readonly #summaryReader: JobSummaryReader;
  readonly #summaries: JobSummaries;
  readonly #logs: LogTails;
  readonly #unsubscribe: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FeedOptions) {
    const { database, log, metrics = NO_FEED_METRICS, pollIntervalMs } = options;
    this.#options = options;
    this.#hub = new Hub({ states: new StateReader(database), log, tailer: () => this.#tailer });
    this.#summaryReader = new JobSummaryReader(database);
    this.#summaries = new JobSummaries(this.#hub, this.#summaryReader);
    this.#logs = new LogTails({
      host: this.#hub,
      reader: new LogReader(database),
      listener: options.listener,
      log,
      pollIntervalMs: pollIntervalMs ?? 500,
    });
    this.#tailer = new Tailer({
      reader: new TailReader(database, options.tables),
      sink: this.#hub,
      log,
      missedNotifications: new MissedNotificationMonitor({
        isListening: () => options.listener?.mode === 'listening',
        missed: () => metrics.notificationMissed(),
      }),
      ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
    });
  }

  get lagSeconds(): number | null {
    return this.#tailer.lagSeconds;
  }

  get memberCount(): number {
    // A broadcaster or the tail of a log is one member of the hub, however many watch it.
    const shared = this.#summaries.broadcasterCount + this.#logs.tailCount;
    return this.#hub.memberCount - shared + this.#summaries.subscriptionCount + this.#logs.followerCount;
  }

  get summaryCount(): number {
    return this.#summaryReader.countingCount;
  }

  get position(): Position | null {
    return this.#tailer.position;
  }

  start(): void {
    if (this.#timer !== undefined) return;
    const { listener, checkpointMs = 60_000 } = this.#options;
    const signal = (): void => this.#tailer.signal();
    if (listener !== null)
      this.#unsubscribe.push(listener.on(WATCH_CHANNEL, signal), listener.onConnect(signal));
    this.#timer = setInterval(() => this.#hub.refresh(checkpointMs), checkpointMs / 2);
    this.#tailer.start();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    this.#hub.close();
    this.#logs.stop();
    await this.#tailer.stop();
  }

  subscribe(filter: JobFilter, after?: string | null): JobSubscription {
    return new JobSubscription({ ...this.#listOptions('jobs', after), filter: checkFilter(filter) });
  }

  subscribeList<T extends Trace, Event>(
    list: (database: Database) => ListKind<T, Event>,
    after?: string | null,
  ): ListSubscription<T, Event> {
    const kind = list(this.#options.database);
    return new ListSubscription({ ...this.#listOptions(kind.name, after), kind });
  }

  #listOptions(list: ListName, after: string | null | undefined) {
    return {
      host: this.#hub,
      after: after === undefined || after === null ? null : decodeCursor(after, list),
      maxPending: this.#options.maxPending ?? 2_000,
      pageSize: PAGE_SIZE,
    };
  }

  subscribeEntity({ entity, withParts = false, ...ids }: WatchedEntity): EntitySubscription<EntityEvent> {
    checkUuids(ids);
    const [tenantId, id] = [ids.tenantId.toLowerCase(), ids.id.toLowerCase()];
    return new EntitySubscription(this.#hub, tenantId, { kind: 'entity', entity, tenantId, id }, (change) => {
      if (isOfJob(change)) return change.subject?.type === entity && change.subject.id === id;
      return (change.entity === entity && change.id === id) || (withParts && change.parentId === id);
    });
  }

  subscribeLog(
    tenantId: string,
    jobId: string,
    { after, untilFinal = true }: { readonly after?: string | null; readonly untilFinal?: boolean } = {},
  ): LogSubscription {
    checkUuids({ tenantId, jobId });
    return new LogSubscription({
      tails: this.#logs,
      tenantId: tenantId.toLowerCase(),
      jobId: jobId.toLowerCase(),
      after: after === undefined || after === null ? LOG_START : decodeLogCursor(jobId, after),
      untilFinal,
    });
  }

  readLog(
    tenantId: string,
    jobId: string,
    after: LogPosition,
    isOver: () => boolean,
  ): Promise<LogPage | undefined> {
    return this.#logs.readPage(tenantId.toLowerCase(), jobId.toLowerCase(), after, isOver);
  }

  subscribeSummary(tenantId: string, sinceSeconds?: number | null): JobSummarySubscription {
    return this.#summaries.subscribe(tenantId.toLowerCase(), checkWindow(sinceSeconds));
  }

  async readSummary(tenantId: string, sinceSeconds?: number | null): Promise<JobSummary> {
    return this.#summaries.read(tenantId.toLowerCase(), checkWindow(sinceSeconds));
  }
}

function checkUuids(ids: Readonly<Record<string, string>>): void {
  for (const [field, id] of Object.entries(ids)) {
    if (isUuid(id)) continue;
    throw new DomainError('InvalidArgument', `${field}: ${JSON.stringify(id)} is not a UUID`, {
      field,
      allowed: 'a UUID',
    });
  }
}
