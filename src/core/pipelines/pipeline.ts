import type { Job, JobError } from '../job.ts';
import type { Settlement } from '../outcome.ts';

/**
 * What a pipeline looks at in the job that has just ended, beside its definition's key: the job itself will
 * do.
 */
export type FinishedJob = Pick<Job, 'payload' | 'subject'>;

/** Why a stage failed. Its time and its count of tries are added where it has none of its own. */
export type StageError = Pick<JobError, 'type' | 'message'> & Partial<JobError>;

/** A next job to enqueue in the finishing transaction. One that is active already counts as enqueued. */
export interface NextJob {
  readonly definitionKey: string;
  readonly payload: unknown;
  /** Made by `pipelineDedupeKey`, so that no caller's job can take its place. */
  readonly dedupeKey: string | null;
  /**
   * `theOthers`: not before all other jobs of the same list have ended well; canceled when one of them does
   * not.
   */
  readonly after?: 'theOthers';
}

/** A change of a domain's rows. Its kinds are the domain's own: only its own `apply` reads them. */
export interface DomainChange {
  readonly kind: string;
}

/**
 * What the end or the return of a job brings about, applied in the transaction that ends it or puts it back.
 */
export interface FinalEffects<Change extends DomainChange = DomainChange> {
  readonly changes: readonly Change[];
  readonly next: readonly NextJob[];
  /**
   * What happens instead of `next` when that cannot be enqueued, since an operator has switched its
   * definition off.
   */
  readonly ifRefused?: (error: StageError) => readonly Change[];
}

/**
 * What the jobs of some definitions about one type of subject lead to. Pure: the engine applies what is
 * named, in the transaction that ends the job, whatever ends it (its worker, a cancel, a poison count).
 */
export interface PipelineRules<Change extends DomainChange = DomainChange> {
  readonly definitionKeys: readonly string[];
  readonly subjectType: string;
  /**
   * Whether the rules read the payload of a job that ends without a worker. It may be long, so it is read
   * only where it is needed.
   */
  readonly readsPayload: boolean;
  onFinal(job: FinishedJob, definitionKey: string, settlement: Settlement): FinalEffects<Change>;
  /** A job that an operator puts back into the queue. */
  onRequeue(job: FinishedJob, definitionKey: string): FinalEffects<Change>;
}

/**
 * A domain's rules with what applies the changes that they name.
 * @template Transaction of the engine
 */
export interface Pipeline<Transaction, Change extends DomainChange = DomainChange>
  extends PipelineRules<Change> {
  /**
   * Applies one change inside the transaction that ends the job or puts it back.
   * @returns false when the thing is gone, so that nothing comes after the job
   */
  apply(tx: Transaction, job: Job, change: Change): Promise<boolean>;
}

/**
 * Declares a pipeline. What its changes are is nobody's business but its own: its `apply` is given what its
 * rules named.
 */
export function definePipeline<Transaction, Change extends DomainChange>(
  pipeline: Pipeline<Transaction, Change>,
): Pipeline<Transaction> {
  return pipeline;
}
