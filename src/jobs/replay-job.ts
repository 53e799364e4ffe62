import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { type Actor, hasRole, type Role } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import type { JobStatus } from '../core/job.ts';
import type { EnqueueResult } from '../core/queue.ts';
import { hasScope } from '../core/scopes.ts';
import { isFinal } from '../core/states.ts';
import { type FoundJobRow, findJob } from '../db/sql/read/find-job.ts';
import type { SecretBox } from '../payloads/secret-box.ts';
import type { JobsDeps } from './deps.ts';
import { type EnqueueJobRequest, inputOf, toApiError } from './enqueue-job.ts';
import { notFound } from './not-found.ts';

/**
 * What the new job is to have in place of what the ended one had; what is undefined or null stays as it was.
 */
export interface ReplayChanges {
  readonly payload?: unknown;
  readonly priority?: number | null | undefined;
  /** Now by default, whenever the ended one was to run. */
  readonly scheduledFor?: Date | null | undefined;
}

const ENDED = ['succeeded', 'failed', 'dead_letter', 'canceled'] as const;

/**
 * Makes a new job from one that has ended, by the checks of `enqueueJob`: definition, role, payload and
 * limits are those of today. It has the payload (or another one), priority, subject, correlation id, dedupe
 * key, tags, metadata, time limit and attempts of the ended one. It waits for no other job, never expires,
 * and nothing that waited for the ended one waits for it.
 * @returns the new job's id
 * @throws DomainError `NotFound` `WrongState` (it has not ended), `ActiveDuplicate` (with `details.jobId`: an
 *   active job has its dedupe key), and what `enqueueJob` throws
 */
export const replayJob = defineUseCase(
  { name: 'replayJob', role: 'member', scope: 'jobs:write', toDo: 'replay jobs' },
  async (
    deps: Pick<JobsDeps, 'queue' | 'payloads' | 'db' | 'commandKeys' | 'secrets'>,
    actor: Caller,
    jobId: string,
    changes: ReplayChanges,
  ): Promise<EnqueueResult> => {
    if (actor.reach !== undefined) throw notFound('job', jobId);
    const { rows } = await deps.db.asWorker<FoundJobRow>(findJob, [actor.tenantId, jobId]);
    const [ended] = rows;
    if (ended === undefined) throw notFound('job', jobId);
    if (!isFinal(ended.status)) throw notEnded(ended);
    if (ended.redacted_at !== null && changes.payload == null) throw withoutPayload(ended);
    const request = requestOf(ended, changes, deps.secrets, actor.tenantId);
    const replay = { jobId, by: actor.name, isPayloadEdited: changes.payload != null };
    const result = await inWords(
      deps.queue.replayChecked(actor.tenantId, ended.definition_key, replay, (definition) =>
        inputOf(deps, actor, definition, request),
      ),
    );
    if (result.kind === 'created') return result;
    throw new DomainError('ActiveDuplicate', `Job ${result.id} with the same dedupe key is active.`, {
      field: 'id',
      jobId: result.id,
    });
  },
);

/**
 * Whether `replayJob` by the actor would be accepted, unless an active job has the same dedupe key or the
 * payload is refused today.
 */
export function canReplay(
  actor: Actor,
  job: { readonly status: string },
  definition: { readonly enqueueRole: string; readonly isActive: boolean } | null,
): boolean {
  if (definition?.isActive !== true || definition.enqueueRole === 'system') return false;
  if (actor.reach !== undefined || !isFinal(job.status as JobStatus)) return false;
  return (
    hasRole(actor.role, definition.enqueueRole as Exclude<Role, 'worker'>) && hasScope(actor, 'jobs:write')
  );
}

function requestOf(
  ended: FoundJobRow,
  { payload, priority, scheduledFor }: ReplayChanges,
  secrets: SecretBox,
  tenantId: string,
): EnqueueJobRequest {
  const { subject_type: type, subject_id: id } = ended;
  return {
    definitionKey: ended.definition_key,
    payload: payload ?? secrets.open(tenantId, ended.payload),
    priority: priority ?? ended.priority,
    scheduledFor: scheduledFor ?? null,
    timeoutSeconds: ended.timeout_seconds,
    maxAttempts: ended.max_attempts,
    dedupeKey: ended.dedupe_key,
    correlationId: ended.correlation_id,
    subject: type === null || id === null ? null : { type, id },
    tags: ended.tags,
    metadata: ended.metadata,
  };
}

async function inWords(enqueued: Promise<EnqueueResult>): Promise<EnqueueResult> {
  try {
    return await enqueued;
  } catch (error) {
    throw error instanceof DomainError ? toApiError(error) : error;
  }
}

function withoutPayload({ id }: FoundJobRow): DomainError {
  return new DomainError('InvalidArgument', `Job ${id} was redacted; its replay needs a payload.`, {
    field: 'payload',
    allowed: 'a payload, since the job has none any more',
  });
}

function notEnded({ id, status }: FoundJobRow): DomainError {
  return new DomainError('WrongState', `Job ${id} is ${status}; only a job that has ended can be replayed.`, {
    field: 'id',
    allowed: ENDED.join(', '),
    enumWords: [...ENDED, status],
    status,
  });
}
