import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { LOG_START } from '../core/job-log.ts';
import { decodeLogCursor } from '../core/log-cursor.ts';
import { WATCH_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';
import { ClipSubscription } from '../domains/clips/feed/clip-subscription.ts';
import {
  type ClipListFilter,
  checkClipFilter,
  checkVideoFilter,
  type VideoListFilter,
} from '../domains/videos/feed/media-filter.ts';
import { type ClipTrace, clipList, type VideoTrace, videoList } from '../domains/videos/feed/media-list.ts';
import { MediaReader } from '../domains/videos/feed/media-reader.ts';
import { VideoSubscription } from '../domains/videos/feed/video-subscription.ts';
import { type FeedMetrics, NO_FEED_METRICS } from '../telemetry/feed-metrics.ts';
import type { Logger } from '../telemetry/log.ts';
import type { ClipFeedEvent, VideoFeedEvent } from './change.ts';
import { decodeCursor } from './cursor.ts';
import { checkFilter, type JobFilter } from './filter.ts';
import { Hub } from './hub.ts';
import { JobSubscription } from './job-subscription.ts';
import { JobSummaries } from './job-summaries.ts';
import { checkWindow, type JobSummary } from './job-summary.ts';
import { JobSummaryReader } from './job-summary-reader.ts';
import type { JobSummarySubscription } from './job-summary-subscription.ts';
import type { ListName } from './list-kind.ts';
import { ListSubscription } from './list-subscription.ts';
import { LogReader } from './log-reader.ts';
import { LogSubscription } from './log-subscription.ts';
import { LogTails } from './log-tails.ts';
import { MissedNotificationMonitor } from './missed-notification-monitor.ts';
import type { Position } from './position.ts';
import { StateReader } from './state-reader.ts';
import { TailReader } from './tail-reader.ts';
import { Tailer } from './tailer.ts';

export interface FeedOptions {
  readonly database: Database;
  /** Must listen on the watch channel, and on the log channel for logs; its owner starts and stops it. Null: polling alone. */
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
  subscribe(filter: JobFilter, after?: string | null): JobSubscription;
  /** The same for videos. @throws DomainError as `subscribe` */
  subscribeVideos(filter: VideoListFilter, after?: string | null): VideoListSubscription;
  /** The same for clips. @throws DomainError as `subscribe` */
  subscribeClips(filter: ClipListFilter, after?: string | null): ClipListSubscription;
  /** Watches one video, its clips, the jobs about it and their progress; begins with an event. */
  subscribeVideo(tenantId: string, videoId: string): VideoSubscription;
  /** Watches one clip, the job that makes it and its progress; begins with an event. */
  subscribeClip(tenantId: string, clipId: string): ClipSubscription;
  /**
   * Watches how many of a tenant's jobs stand where: the counts of now, then newer ones when they differ, at most two a second.
   * @param sinceSeconds the window of finished jobs; 3,600 by default
   * @throws DomainError `InvalidArgument` for another window than those of `SUMMARY_WINDOWS_SECONDS`
   */
  subscribeSummary(tenantId: string, sinceSeconds?: number | null): JobSummarySubscription;
  /**
   * Follows the log of one job: its stored lines after `after`, the cursor of an earlier event or line, then those that come. Ends
   * with an event that says so when the job has ended and all its lines have come (`untilFinal`, the default), or is deleted.
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

export type VideoListSubscription = ListSubscription<VideoTrace, VideoFeedEvent>;
export type ClipListSubscription = ListSubscription<ClipTrace, ClipFeedEvent>;

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
  readonly #media: MediaReader;
  readonly #summaryReader: JobSummaryReader;
  readonly #summaries: JobSummaries;
  readonly #logs: LogTails;
  readonly #unsubscribe: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FeedOptions) {
    const { database, log, metrics = NO_FEED_METRICS, pollIntervalMs } = options;
    this.#options = options;
    this.#hub = new Hub({ states: new StateReader(database), log, tailer: () => this.#tailer });
    this.#media = new MediaReader(database);
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
      reader: new TailReader(database),
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

  subscribeVideos(filter: VideoListFilter, after?: string | null): VideoListSubscription {
    return new ListSubscription({
      ...this.#listOptions('videos', after),
      kind: videoList(checkVideoFilter(filter), this.#media),
    });
  }

  subscribeClips(filter: ClipListFilter, after?: string | null): ClipListSubscription {
    return new ListSubscription({
      ...this.#listOptions('clips', after),
      kind: clipList(checkClipFilter(filter), this.#media),
    });
  }

  #listOptions(list: ListName, after: string | null | undefined) {
    return {
      host: this.#hub,
      after: after === undefined || after === null ? null : decodeCursor(after, list),
      maxPending: this.#options.maxPending ?? 2_000,
      pageSize: PAGE_SIZE,
    };
  }

  subscribeVideo(tenantId: string, videoId: string): VideoSubscription {
    checkUuids({ tenantId, videoId });
    return new VideoSubscription(this.#hub, tenantId.toLowerCase(), videoId.toLowerCase());
  }

  subscribeClip(tenantId: string, clipId: string): ClipSubscription {
    checkUuids({ tenantId, clipId });
    return new ClipSubscription(this.#hub, tenantId.toLowerCase(), clipId.toLowerCase());
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
