import type { JobDefinition, PayloadOf } from '../src/core/definition.ts';
import type { AttemptOutput, Subject } from '../src/core/job.ts';
import type { ArtifactRecord, Outcome } from '../src/core/outcome.ts';
import type { ObjectStore } from '../src/storage/object-store.ts';
import type { Provide } from './provide.ts';

export type * from './programs.ts';

/** What a handler says about how far it is. Sent coalesced, about twice a second; the newest wins. */
export interface ProgressUpdate {
  /** 0 to 100; null while the length of the work is unknown. */
  readonly percent?: number | null;
  /** `probe`, `transcode`, `upload` … */
  readonly stage?: string | null;
  readonly message?: string | null;
  /**
   * Seconds that it still needs; it counts down by itself until the next is given. When omitted, it is
   * computed from how fast the percent grows; null says that nobody can know.
   */
  readonly etaSeconds?: number | null;
  /**
   * Key of an object in `tools.storage` that shows how far it is, a poster for one; subscribers get a signed
   * URL. Publish it first.
   */
  readonly preview?: string | null;
}

/**
 * Structured log lines. They go to the log of the worker's process, with the job's ids on each, and from the
 * configured level on (`MILLRACE_JOB_LOG_LEVEL`) into the job's own log, which `Job.log` and the subscription
 * `jobLog` show to its tenant: no secrets, then. Never throws and never waits.
 */
export interface JobLog {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/**
 * What earlier runs have published for this job's subject, by artifact row (the fenced truth, not the store's
 * listing).
 */
export interface ArtifactLookup {
  /**
   * Artifacts of the subject, of one kind when it is named; of another subject of the same tenant when that
   * is.
   */
  find(kind?: string, subject?: Subject): Promise<readonly ArtifactRecord[]>;
}

/** What every handler gets of the outside world. */
export interface Tools {
  readonly storage: ObjectStore;
  /** An empty directory for this run alone, removed afterwards whatever happens. Made on the first call. */
  tempDir(): Promise<string>;
}

/**
 * All that a handler sees of its run. Take out what is needed by name; `{ ...context }` copies nothing, since
 * most of it is made when it is asked for. It never sees the queue, the pool or another job; what it returns
 * becomes rows in the transaction that settles the job, and beside that it has only what its registration
 * declares as its `own`.
 */
export interface HandlerContext<Payload = unknown, Own = unknown> {
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
  /**
   * What its registration provides to it alone: programs, stores for results that are written on the way,
   * clients.
   */
  readonly own: Own;
  progress(update: ProgressUpdate): void;
  /**
   * What the attempt keeps of a program that the run has run; successful attempts too. The last one counts.
   */
  noteAttempt(output: AttemptOutput): void;
  /**
   * Asks the database whether this run still holds its lease: call it right before publishing under a fixed
   * name.
   * @throws DomainError `LostLease` when another run has the job by now
   */
  fence(): Promise<void>;
}

/**
 * Runs one job. Return an outcome (`done`, `skipped`, `snoozed`, `canceled`) or throw; it may run twice, so
 * be idempotent.
 */
export type Handler<Payload = unknown, Own = unknown> = (
  context: HandlerContext<Payload, Own>,
) => Promise<Outcome>;

/** A definition with the handler that runs it. */
export interface Registration<D extends JobDefinition = JobDefinition, Own = unknown> {
  readonly definition: D;
  /**
   * Loaded on the first job, so that a worker that never runs the job never pays for its modules.
   */
  readonly load: () => Promise<Handler<PayloadOf<D>, Own>>;
  /** Makes what its handler has as `own`; absent: nothing. */
  readonly provide?: Provide<Own>;
}
