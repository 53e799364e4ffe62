import type { Job } from '../core/job.ts';
import type { Settlement } from '../core/outcome.ts';
import type { DomainChange, FinalEffects, PipelineRules } from '../core/pipelines/pipeline.ts';
import type { EnqueueResult } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { applyEffects } from './effects.ts';

/** A domain's rules with the statements that apply what they name. */
export interface PipelineInput<Change extends DomainChange> extends PipelineRules<Change> {
  /**
   * Applies one change inside the transaction that ends the job or puts it back.
   * @returns false when the thing is gone, so that nothing comes after the job
   */
  apply(tx: Transaction, job: Job, change: Change): Promise<boolean>;
}

/** What the end or the return of one job brings about, ready to be applied. */
export interface JobEffects {
  /** It enqueues jobs: workers are to be notified after the commit. */
  readonly hasNext: boolean;
  /** @returns what became of the next jobs */
  apply(tx: Transaction): Promise<readonly EnqueueResult[]>;
}

/** A pipeline as the engine sees it: what its changes are is nobody's business but its own. */
export interface Pipeline extends Pick<PipelineRules, 'definitionKeys' | 'subjectType' | 'readsPayload'> {
  /** @returns null when nothing follows */
  onFinal(job: Job, definitionKey: string, settlement: Settlement): JobEffects | null;
  onRequeue(job: Job, definitionKey: string): JobEffects | null;
}

/** Joins a domain's pure rules with the statements that apply what they name. */
export function definePipeline<Change extends DomainChange>(input: PipelineInput<Change>): Pipeline {
  const { definitionKeys, subjectType, readsPayload } = input;
  const bind = (job: Job, effects: FinalEffects<Change>): JobEffects | null => {
    if (effects.changes.length + effects.next.length === 0) return null;
    return {
      hasNext: effects.next.length > 0,
      apply: (tx) => applyEffects(tx, job, effects, (change) => input.apply(tx, job, change)),
    };
  };
  return {
    definitionKeys,
    subjectType,
    readsPayload,
    onFinal: (job, key, settlement) => bind(job, input.onFinal(job, key, settlement)),
    onRequeue: (job, key) => bind(job, input.onRequeue(job, key)),
  };
}

/** The pipelines that a process knows: those of the domains that it was composed of. */
export class Pipelines {
  /** Types of subjects whose jobs' payloads are read when they end without a worker. */
  readonly payloadSubjects: readonly string[];
  readonly #byKey = new Map<string, Pipeline[]>();

  constructor(pipelines: readonly Pipeline[]) {
    const reading = pipelines.filter(({ readsPayload }) => readsPayload);
    this.payloadSubjects = [...new Set(reading.map(({ subjectType }) => subjectType))];
    for (const pipeline of pipelines)
      for (const key of pipeline.definitionKeys)
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), pipeline]);
  }

  /** Whether a definition is part of one. */
  has(definitionKey: string): boolean {
    return this.#byKey.has(definitionKey);
  }

  /** What the end of a job brings about; null when nothing does, as for all jobs outside of pipelines. */
  onFinal(job: Job, definitionKey: string, settlement: Settlement): JobEffects | null {
    return this.#of(job, definitionKey)?.onFinal(job, definitionKey, settlement) ?? null;
  }

  /** The same of a job that goes back into the queue. */
  onRequeue(job: Job, definitionKey: string): JobEffects | null {
    return this.#of(job, definitionKey)?.onRequeue(job, definitionKey) ?? null;
  }

  #of({ subject }: Job, definitionKey: string): Pipeline | undefined {
    if (subject === null) return undefined;
    return this.#byKey.get(definitionKey)?.find(({ subjectType }) => subjectType === subject.type);
  }
}
