import type { JobStatus, Subject } from '../../src/core/job.ts';
import type { JobQueue } from '../../src/core/queue.ts';
import type { RemoteWork } from '../../src/core/remote-work.ts';

/**
 * What an engine may declare beyond the core. `transactionalNext`: a settlement and what follows from it
 * (records of the subject, next jobs) happen together or not at all. `limits`: N at a time. `fairness`:
 * tenants in turn. `feed`: every change is sent. `remote`: workers that reach it over the network.
 */
export const CAPABILITIES = ['transactionalNext', 'limits', 'fairness', 'feed', 'remote'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** A job as it stands in the engine's store. */
export interface SeenJob {
  readonly status: JobStatus;
  readonly attemptCount: number;
  readonly runNo: number;
  readonly lostLeaseCount: number;
  readonly snoozeCount: number;
  /** Until it may run, by the engine's own clock; negative when it is due. */
  readonly waitSeconds: number;
  readonly reason: string | null;
  readonly errorType: string | null;
  readonly version: bigint;
}

/** Changes of one tenant's jobs, as the feed sends them. */
export interface Watch {
  /** Statuses of a job in the order in which they were sent. */
  statuses(jobId: string): readonly JobStatus[];
  /** Newest version sent of a job. */
  version(jobId: string): bigint;
  /** Jobs whose version went back at some point. */
  reversed(): readonly string[];
  stop(): Promise<void>;
}

/** A subject whose record changes with the settlement of its job. */
export interface SubjectCase {
  readonly subject: Subject;
  readonly definitionKey: string;
  readonly payload: unknown;
  /** A result that the record takes, and one that its store refuses. */
  readonly goodResult: unknown;
  readonly refusedResult: unknown;
  /** The record's state now, and what it is after success and after a final failure. */
  state(): Promise<string>;
  readonly doneState: string;
  readonly failedState: string;
}

/** A queue under test with the few hooks that the contract needs beside its verbs. */
export interface Engine {
  readonly queue: JobQueue;
  /** The id by which claims name a definition of `definitions.ts`. */
  definitionId(key: string): string;
  makeTenant(): Promise<string>;
  /** Forgets every job. */
  clear(): Promise<void>;
  look(jobId: string): Promise<SeenJob>;
  /** What is written about a job's runs, oldest first. */
  attempts(jobId: string): Promise<readonly { readonly runNo: number; readonly status: string }[]>;
  /** Lets the lease of a running job have ended a moment ago. */
  expireLease(jobId: string): Promise<void>;
  /** Lets a job have ended so long ago. */
  letEndedAgo(jobId: string, seconds: number): Promise<void>;
  /** Lets the time of a delayed job come, without a word to the engine. */
  letComeDue(jobId: string): Promise<void>;
  /** Lets a queued job's time have come. */
  makeDue(jobId: string): Promise<void>;
  /** With `transactionalNext`. */
  makeSubject?(tenantId: string): Promise<SubjectCase>;
  /**
   * With `transactionalNext`: a transaction of the engine, as a caller holds it; what the work throws takes
   * it back.
   */
  inTransaction?<T>(tenantId: string, work: (tx: unknown) => Promise<T>): Promise<T>;
  /** With `remote`. */
  readonly remote?: RemoteWork;
  /** With `feed`: resolves when changes from now on will be sent. */
  watch?(tenantId: string): Promise<Watch>;
  close(): Promise<void>;
}
