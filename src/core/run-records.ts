import type { JobStatus, Subject } from './job.ts';
import type { JobLogLevel } from './job-log.ts';
import type { ArtifactRecord } from './outcome.ts';
import type { Lease } from './queue-values.ts';

/** Where a run stands that a worker has. */
export interface LeaseState {
  readonly jobId: string;
  /** Somebody asked to cancel the job. */
  readonly isCancelRequested: boolean;
  /** The reason given with it. */
  readonly cancelReason: string | null;
}

/** The newest that a run has said of how far it is; what is null is not known. */
export interface RunProgress {
  readonly lease: Lease;
  readonly percent: number | null;
  readonly stage: string | null;
  readonly message: string | null;
  readonly etaSeconds: number | null;
  readonly previewKey: string | null;
}

/** A line of a run's log. */
export interface RunLogLine {
  /** In its run, from 1 without gaps. */
  readonly lineNo: number;
  readonly level: JobLogLevel;
  readonly message: string;
  /** JSON text. */
  readonly data: string | null;
  readonly at: Date;
}

/**
 * `stored`; `busy`: somebody else holds the job this moment, so give them again soon; `lost`: the lease is
 * gone.
 */
export type LogLinesResult = 'stored' | 'busy' | 'lost';

/** What is kept of a job: its newest runs and log lines, in their order. Times are ISO 8601. */
export interface JobRecord {
  readonly jobId: string;
  readonly definitionKey: string;
  readonly status: JobStatus;
  /** As it is stored: secret fields may be encrypted. */
  readonly payload: unknown;
  /** At most 100. */
  readonly runs: readonly RecordedRun[];
  readonly lines: readonly RecordedLine[];
}

export interface RecordedRun {
  readonly runNo: number;
  readonly status: string;
  readonly worker: string;
  readonly claimedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string;
  readonly error: Readonly<Record<string, unknown>> | null;
}

export interface RecordedLine {
  readonly runNo: number;
  readonly level: string;
  readonly message: string;
  readonly data: unknown;
  readonly at: string;
}

/**
 * What a worker's runtime reads and writes of its runs beside their claims and ends. Fenced by leases; may be
 * repeated.
 */
export interface RunRecords {
  /**
   * Those of the leases that are still held; a job that is missing from the answer is somebody else's, or
   * over.
   */
  leaseStates(leases: readonly Lease[]): Promise<readonly LeaseState[]>;
  /** Writes progress, one record a run; a run whose lease is gone writes nothing. */
  storeProgress(progress: readonly RunProgress[]): Promise<void>;
  /** Stores lines of many runs. @returns one result a run, in order */
  storeLogLines(
    runs: readonly { readonly lease: Lease; readonly lines: readonly RunLogLine[] }[],
  ): Promise<readonly LogLinesResult[]>;
  /**
   * Puts back what was claimed in this worker's name and is not among what it knows. @returns how many jobs
   */
  handBackUnknown(workerId: string, known: readonly Lease[]): Promise<number>;
  /** A job with its newest `maxLines` log lines; null when it is gone. */
  jobRecord(jobId: string, maxLines: number): Promise<JobRecord | null>;
  /** What runs have published about a subject of this tenant, of one kind where that is not null, by key. */
  findArtifacts(tenantId: string, subject: Subject, kind: string | null): Promise<readonly ArtifactRecord[]>;
}
