import type { Job } from '../core/job.ts';
import type { Settlement } from '../core/outcome.ts';
import type { FinalEffects, Pipeline } from '../core/pipelines/pipeline.ts';
import type { EnqueueResult } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { applyEffects } from './effects.ts';

/** What the end or the return of one job brings about, ready to be applied. */
export interface JobEffects {
  /** It enqueues jobs: workers are to be notified after the commit. */
  readonly hasNext: boolean;
  /** @returns what became of the next jobs */
  apply(tx: Transaction): Promise<readonly EnqueueResult[]>;
}

/** The pipelines that a process knows: those of the domains that it was composed of. */
export class Pipelines {
  /** Types of subjects whose jobs' payloads are read when they end without a worker. */
  readonly payloadSubjects: readonly string[];
  readonly #byKey = new Map<string, Pipeline<Transaction>[]>();

  constructor(pipelines: readonly Pipeline<Transaction>[]) {
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
    const pipeline = this.#of(job, definitionKey);
    return pipeline === undefined
      ? null
      : bound(pipeline, job, pipeline.onFinal(job, definitionKey, settlement));
  }

  /** The same of a job that goes back into the queue. */
  onRequeue(job: Job, definitionKey: string): JobEffects | null {
    const pipeline = this.#of(job, definitionKey);
    return pipeline === undefined ? null : bound(pipeline, job, pipeline.onRequeue(job, definitionKey));
  }

  #of({ subject }: Job, definitionKey: string): Pipeline<Transaction> | undefined {
    if (subject === null) return undefined;
    return this.#byKey.get(definitionKey)?.find(({ subjectType }) => subjectType === subject.type);
  }
}

/** The pipelines of domains. */
export function pipelinesOf(
  domains: readonly { readonly pipelines: readonly Pipeline<Transaction>[] }[],
): Pipelines {
  return new Pipelines(domains.flatMap(({ pipelines }) => pipelines));
}

function bound(pipeline: Pipeline<Transaction>, job: Job, effects: FinalEffects): JobEffects | null {
  if (effects.changes.length + effects.next.length === 0) return null;
  return {
    hasNext: effects.next.length > 0,
    apply: (tx) => applyEffects(tx, job, effects, (change) => pipeline.apply(tx, job, change)),
  };
}
