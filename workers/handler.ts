import type { JobDefinition, PayloadOf } from '../src/core/definition.ts';
import type { AttemptOutput, Subject } from '../src/core/job.ts';
import type { ArtifactRecord, Outcome } from '../src/core/outcome.ts';
import type { ObjectStore } from '../src/storage/object-store.ts';
import type { Stores } from './stores.ts';

/** What a handler says about how far it is. Sent coalesced, about twice a second; the newest wins. */
export interface ProgressUpdate {
  /** 0 to 100; null while the length of the work is unknown. */
  readonly percent?: number | null;
  /** `probe`, `transcode`, `upload` … */
  readonly stage?: string | null;
  readonly message?: string | null;
  /**
   * Seconds that it still needs; it counts down by itself until the next is given. When omitted, it is reckoned from how fast the
   * percent grows; null says that nobody can know.
   */
  readonly etaSeconds?: number | null;
  /** Key of an object in `tools.storage` that shows how far it is, a poster for one; subscribers get a signed URL. Publish it first. */
  readonly preview?: string | null;
}

/**
 * Structured log lines. They go to the log of the worker's process, with the job's ids on each, and from the configured level on
 * (`MILLRACE_JOB_LOG_LEVEL`) into the job's own log, which `Job.log` and the subscription `jobLog` show to its tenant: no
 * secrets, then. Never throws and never waits.
 */
export interface JobLog {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/** What earlier runs have published for this job's subject, by artifact row (the fenced truth, not the store's listing). */
export interface ArtifactLookup {
  /** Artifacts of the subject, of one kind when it is named; of another subject of the same tenant when that is. */
  find(kind?: string, subject?: Subject): Promise<readonly ArtifactRecord[]>;
}

/** The outside world, behind narrow interfaces that the composition root fills. */
export interface Tools {
  readonly storage: ObjectStore;
  /** Where media programs were found; null when the machine has none. */
  readonly media: MediaTools | null;
  /** What reads texts in pictures; null when the machine has nothing that does. */
  readonly ocr: OcrTools | null;
  /** An empty directory for this run alone, removed afterwards whatever happens. Made on the first call. */
  tempDir(): Promise<string>;
}

/** The media programs: where they are and what they can do. */
export interface MediaTools {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** Has `-fps_mode` (5.1 and later); older ones call it `-vsync`. */
  readonly fpsMode: boolean;
  /** Has the `zscale` filter, which turning HDR into ordinary video needs. */
  readonly zscale: boolean;
  /** What the programs may be asked to decode. */
  readonly limits: MediaLimits;
}

/** How much of a machine one file may take. What is beyond them is refused for good. */
export interface MediaLimits {
  /** Of one picture, width times height. Enforced in the decoder too, since a stream may change its size on the way. */
  readonly maxPixels: number;
  /** Pictures a second, on average. */
  readonly maxFps: number;
  /** Streams of any kind in a file. */
  readonly maxStreams: number;
  /** Of each decoder, filter and encoder. */
  readonly threads: number;
}

/** The reader of texts: Tesseract, as a program or as the npm package. */
export interface OcrTools {
  readonly engine: 'tesseract' | 'tesseract.js';
  readonly version: string;
  /** The program; null for the npm package. */
  readonly path: string | null;
  /** Languages it has data of, by Tesseract's names. */
  readonly languages: readonly string[];
}

/**
 * All that a handler sees of its run. Take out what is needed by name; `{ ...context }` copies nothing, since most of it is made when it
 * is asked for. It never sees the queue, the pool or another job; what it returns
 * becomes rows in the transaction that settles the job, and beside that it can only write to the narrow `stores` of a pipeline's stages.
 */
export interface HandlerContext<Payload = unknown> {
  readonly jobId: string;
  readonly tenantId: string;
  readonly definitionKey: string;
  readonly payload: Payload;
  readonly subject: Subject | null;
  /** Grows at each claim: put it into the names of large outputs, so that two runs never share one. */
  readonly runNo: number;
  /** Runs that had ended in an error before this one. */
  readonly attemptCount: number;
  /** Fires on cancel, timeout, lost lease and shutdown; its reason is an Error that says which. */
  readonly signal: AbortSignal;
  readonly log: JobLog;
  readonly tools: Tools;
  readonly artifacts: ArtifactLookup;
  /** Results of stages that write them as they go. */
  readonly stores: Stores;
  progress(update: ProgressUpdate): void;
  /** What the attempt keeps of a program that the run has run; successful attempts too. The last one counts. */
  noteAttempt(output: AttemptOutput): void;
  /**
   * Asks the database whether this run still holds its lease: call it right before publishing under a fixed name.
   * @throws DomainError `LostLease` when another run has the job by now
   */
  fence(): Promise<void>;
}

/** Runs one job. Return an outcome (`done`, `skipped`, `snoozed`, `canceled`) or throw; it may run twice, so be idempotent. */
export type Handler<Payload = unknown> = (context: HandlerContext<Payload>) => Promise<Outcome>;

/** A definition with the handler that runs it. */
export interface Registration<D extends JobDefinition = JobDefinition> {
  readonly definition: D;
  /**
   * Loaded on the first job, so that a worker that never runs the job never pays for its modules.
   */
  readonly load: () => Promise<Handler<PayloadOf<D>>>;
}
