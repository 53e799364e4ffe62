import type { Caller } from '../access/caller.ts';
import { BASE_COST, defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import type { EnqueueItemResult } from '../core/queue.ts';
import { enqueueableKeys, withGuess } from './definition-guess.ts';
import type { JobsDeps } from './deps.ts';
import { type EnqueueJobRequest, inputOf, toApiError } from './enqueue-job.ts';

/** Jobs of one call through the API. */
export const MAX_JOBS_A_CALL = 1_000;

/** Jobs of one call for whose unknown definition a guess is made. */
const MAX_GUESSES = 20;

/** One job of the call. */
export interface EnqueueJobsItem {
  readonly definitionKey: string;
  /** @throws DomainError what is wrong with this one */
  readonly request: () => EnqueueJobRequest;
}

/**
 * Enqueues many jobs for the actor's tenant; all good ones in one transaction. A bad one fails nobody else.
 * @returns one result a request, in order
 * @throws DomainError `Forbidden`, `InvalidArgument` (too many), `PayloadTooLarge` (all together),
 *   `DedupeBusy`
 */
export const enqueueJobs = defineUseCase(
  {
    name: 'enqueueJobs',
    role: 'member',
    scope: 'jobs:write',
    toDo: 'enqueue jobs',
    cost: (items: readonly EnqueueJobsItem[]) => BASE_COST + items.length,
  },
  async (
    deps: Pick<JobsDeps, 'queue' | 'payloads' | 'db' | 'commandKeys' | 'secrets'>,
    actor: Caller,
    items: readonly EnqueueJobsItem[],
  ): Promise<readonly EnqueueItemResult[]> => {
    if (items.length > MAX_JOBS_A_CALL) {
      const allowed = `at most ${MAX_JOBS_A_CALL} jobs in one call`;
      throw new DomainError('InvalidArgument', `jobs has ${items.length} items; allowed: ${allowed}.`, {
        field: 'jobs',
        allowed,
      });
    }
    try {
      const results = await deps.queue.enqueueManyChecked(
        actor.tenantId,
        items.map(({ definitionKey, request }) => ({
          definitionKey,
          prepare: (definition) => inputOf(deps, actor, definition, request()),
        })),
      );
      const isAnyUnknown = results.some(
        (result) => result.kind === 'invalid' && result.error.code === 'UnknownDefinition',
      );
      const keys = isAnyUnknown ? await enqueueableKeys(deps, actor) : [];
      let guesses = 0;
      return results.map((result, index) => {
        if (result.kind !== 'invalid') return result;
        const key = items[index]?.definitionKey ?? '';
        // A guess takes time by the length of the key: it is made for the first ones.
        if (guesses >= MAX_GUESSES) return { kind: 'invalid', error: toApiError(result.error) };
        const error = withGuess(toApiError(result.error), key, keys);
        if (error.code === 'UnknownDefinition') guesses += 1;
        return { kind: 'invalid', error };
      });
    } catch (error) {
      throw error instanceof DomainError ? toApiError(error) : error;
    }
  },
);
