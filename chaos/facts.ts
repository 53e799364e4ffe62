import type { JobStatus } from '../src/core/job.ts';
import type { DependencyPolicy } from '../src/core/queue.ts';
import type { Effect } from './record.ts';

// What is known when everything has ended: from the tables, from the witness, and from what handlers noted.
// The judges see nothing else, so that a test can hand them doctored facts.

export interface JobFact {
  readonly id: string;
  readonly tenantId: string;
  readonly definitionKey: string;
  readonly status: JobStatus;
  readonly runNo: number;
  readonly attemptCount: number;
  readonly maxAttempts: number;
  readonly lostLeaseCount: number;
  readonly snoozeCount: number;
  readonly pendingDependencies: number;
  readonly reason: string | null;
  readonly hasLease: boolean;
  readonly isCancelRequested: boolean;
  /** From now until its time; negative when that has come. */
  readonly dueInSeconds: number;
  readonly isPermanent: boolean;
  readonly isCanceled: boolean;
}

/** A change of status; `was` and `became` are the same when a row was changed after its end. */
export interface Move {
  readonly jobId: string;
  readonly runNo: number;
  readonly was: JobStatus;
  readonly became: JobStatus;
  /** By the database's clock. */
  readonly atUs: number;
}

export interface RunRow {
  readonly jobId: string;
  readonly runNo: number;
  /** The status of its attempt row; null when it has none. */
  readonly attempt: string | null;
  /** Whether that row knows when it began. */
  readonly isKnownToHaveBegun: boolean;
  /** Whether that row says that its worker was lost with other runs beside it. */
  readonly hadCompany: boolean;
  /** What its row of usage says; null when it has none. */
  readonly usage: string | null;
}

export interface Edge {
  readonly jobId: string;
  readonly parentId: string;
  readonly policy: DependencyPolicy;
}

/** At most N of the jobs that the three match run at a time; null matches all. */
export interface Limit {
  readonly tenantId: string | null;
  readonly definitionKey: string | null;
  /** Each tenant by itself. */
  readonly perTenant: boolean;
  readonly maxRunning: number;
}

export interface EventFact {
  /** Its number in the plan. */
  readonly no: string;
  readonly isProcessed: boolean;
  /** Triggers that listen to it. */
  readonly triggerCount: number;
  /** The triggers whose runs say that they made a job, one for each job that is there. */
  readonly madeBy: readonly string[];
}

export interface ScheduleFact {
  readonly triggerId: string;
  readonly everySeconds: number;
  /** The times of the ticks that its jobs carry. */
  readonly ticksMs: readonly number[];
}

export interface Facts {
  readonly planned: number;
  readonly plannedEvents: number;
  readonly events: readonly EventFact[];
  readonly schedules: readonly ScheduleFact[];
  readonly jobs: readonly JobFact[];
  readonly moves: readonly Move[];
  readonly runs: readonly RunRow[];
  readonly edges: readonly Edge[];
  readonly limits: readonly Limit[];
  readonly effects: readonly Effect[];
  readonly maxRssMb: number;
}
