import type { JobStatus } from '../../src/core/job.ts';
import { isFinal, isLegalMove } from '../../src/core/states.ts';

// The state machine of a job, as small as it can be said. Pure: it knows no database, no clock and no other
// job's turn.

export const TENANT_COUNT = 2;
export const WORKER_COUNT = 3;

/**
 * `eager` retries and snoozes come back at once and may be snoozed twice; `patient` ones lie an hour ahead,
 * without a bound.
 */
export type DefinitionKey = 'eager' | 'patient';
export const DEFINITION_KEYS: readonly DefinitionKey[] = ['eager', 'patient'];
export const MAX_SNOOZES = { eager: 2, patient: null } as const;
/** More lost leases than this in a row, and the job is not run again. */
export const MAX_LOST_LEASES = 3;

export interface ModelJob {
  readonly tenant: number;
  readonly definitionKey: DefinitionKey;
  readonly maxAttempts: number;
  readonly dedupeKey: string | null;
  status: JobStatus;
  runNo: number;
  attemptCount: number;
  lostLeaseCount: number;
  snoozeCount: number;
  cancelRequested: boolean;
  /** It was asked for before the last claim, whose worker therefore knows of it. */
  cancelKnown: boolean;
  priority: number;
  /** Queued and its time has come; means nothing in other statuses. */
  due: boolean;
  /** Running, but its lease has ended and nobody has noticed yet. */
  leaseEnded: boolean;
  /** Who runs it. */
  worker: number | null;
  /** One entry a run that has ended: the attempt row it left, or why it left none. */
  readonly runs: string[];
}

export interface Model {
  /** By id, in the order in which they were enqueued. */
  readonly jobs: Map<string, ModelJob>;
  readonly pausedTenants: Set<number>;
  readonly pausedDefinitions: Set<DefinitionKey>;
  /** Ids that the current step has changed. */
  readonly touched: Set<string>;
}

export function emptyModel(): Model {
  return { jobs: new Map(), pausedTenants: new Set(), pausedDefinitions: new Set(), touched: new Set() };
}

export function modelJob(model: Model, id: string): ModelJob {
  const job = model.jobs.get(id);
  if (job === undefined) throw new Error(`the model knows no job ${id}`);
  return job;
}

/** The job that holds a key: at most one, whatever happens. */
export function activeWithKey(model: Model, tenant: number, dedupeKey: string | null): string | undefined {
  if (dedupeKey === null) return undefined;
  return [...model.jobs].find(
    ([, job]) => job.tenant === tenant && job.dedupeKey === dedupeKey && !isFinal(job.status),
  )?.[0];
}

/** What a claim may hand out. */
export function claimable(model: Model, keys: readonly DefinitionKey[] = DEFINITION_KEYS): readonly string[] {
  return [...model.jobs]
    .filter(
      ([, job]) =>
        job.status === 'queued' &&
        job.due &&
        keys.includes(job.definitionKey) &&
        !model.pausedTenants.has(job.tenant) &&
        !model.pausedDefinitions.has(job.definitionKey),
    )
    .map(([id]) => id);
}

/** Moves a job; what `states.ts` does not allow is a mistake of the model itself. */
export function move(model: Model, id: string, status: JobStatus): ModelJob {
  const job = modelJob(model, id);
  if (!isLegalMove(job.status, status))
    throw new Error(`the model makes an illegal move: ${job.status} → ${status}`);
  job.status = status;
  job.leaseEnded = false;
  model.touched.add(id);
  return job;
}

export function claimed(model: Model, id: string, worker: number): void {
  const job = move(model, id, 'running');
  job.runNo++;
  job.worker = worker;
  job.cancelKnown = job.cancelRequested;
}

/** How a run ends, in the words of a handler or of what happened to it. */
export type Ending =
  | 'done'
  | 'skipped'
  | 'error'
  | 'timeout'
  | 'permanent'
  | 'canceled'
  | 'snooze'
  | 'shutdown';

/**
 * A run that is settled by the holder of its lease, after budget and policy. Returns the status it comes to.
 */
export function ended(model: Model, id: string, ending: Ending): JobStatus {
  const job = modelJob(model, id);
  const backInQueue = (note: string): JobStatus => {
    job.runs.push(note);
    job.due = job.definitionKey === 'eager' || note === 'interrupted';
    return move(model, id, 'queued').status;
  };
  const spent = (note: string): JobStatus => {
    job.attemptCount++;
    job.lostLeaseCount = 0;
    if (job.attemptCount < job.maxAttempts && !job.cancelRequested) return backInQueue(note);
    job.runs.push(note);
    return move(model, id, 'dead_letter').status;
  };
  const final = (status: JobStatus, note: string): JobStatus => {
    job.runs.push(note);
    job.lostLeaseCount = 0;
    return move(model, id, status).status;
  };
  switch (ending) {
    case 'done':
      return final('succeeded', 'succeeded');
    case 'skipped':
      return final('succeeded', 'skipped');
    case 'canceled':
      return final('canceled', 'canceled');
    case 'permanent':
      job.attemptCount++;
      return final('failed', 'failed');
    case 'shutdown':
      // Spends no attempt; its run is on record.
      return job.cancelRequested ? final('canceled', 'canceled') : backInQueue('interrupted');
    case 'snooze': {
      if (job.cancelRequested) return final('canceled', 'canceled');
      const most = MAX_SNOOZES[job.definitionKey];
      if (most !== null && job.snoozeCount >= most) return ended(model, id, 'permanent');
      job.snoozeCount++;
      job.lostLeaseCount = 0;
      return backInQueue('snoozed');
    }
    case 'error':
    case 'timeout':
      // The last attempt goes to the dead letters; any other would go back, which a cancel that was asked for
      // does not allow.
      if (job.cancelRequested && job.attemptCount + 1 < job.maxAttempts) return final('canceled', 'canceled');
      return spent(ending === 'timeout' ? 'timeout' : 'failed');
  }
}

/** What a worker does with a claimed job without calling its handler; null when it is to be run. */
export function endedUnrun(model: Model, id: string): JobStatus | null {
  const job = modelJob(model, id);
  const isSpent = job.lostLeaseCount > MAX_LOST_LEASES || job.attemptCount >= job.maxAttempts;
  if (!job.cancelKnown && !isSpent) return null;
  job.runs.push('unrun');
  // A cancel that was asked for after the claim comes too late for a run that ends without having begun.
  return move(model, id, job.cancelKnown ? 'canceled' : 'dead_letter').status;
}

/**
 * The lease ended and somebody noticed.
 * @param isAlone its worker had no other run: only then is the loss charged to it
 */
export function rescued(model: Model, id: string, isAlone: boolean): void {
  const job = move(model, id, 'queued');
  if (isAlone) job.attemptCount++;
  job.lostLeaseCount++;
  job.runs.push('lost');
  job.due = true;
}

/** An operator's retry: fresh budget, ready now, the run numbers go on. */
export function retried(model: Model, id: string): void {
  const job = move(model, id, 'queued');
  Object.assign(job, {
    attemptCount: 0,
    lostLeaseCount: 0,
    snoozeCount: 0,
    cancelRequested: false,
    cancelKnown: false,
    due: true,
  });
}
