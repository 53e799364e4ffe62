import type { Actor } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import type { Subject } from '../core/job.ts';
import { RESERVED_KEY_PREFIX } from '../core/pipelines/dedupe-key.ts';
import type { EnqueueResult } from '../core/queue.ts';
import { type DefinitionRow, findDefinitions } from '../db/sql/queue/find-definitions.ts';
import type { JobsDeps } from './deps.ts';
import { requireRole } from './require-role.ts';

export interface EnqueueJobRequest {
  readonly definitionKey: string;
  readonly payload: unknown;
  readonly priority?: number | null | undefined;
  readonly scheduledFor?: Date | null | undefined;
  readonly dedupeKey?: string | null | undefined;
  readonly correlationId?: string | null | undefined;
  readonly subject?: Subject | null | undefined;
  readonly maxAttempts?: number | null | undefined;
}

/**
 * Enqueues one job for the actor's tenant, its payload checked against the definition's schema before anything is written.
 * @returns the job's id, and whether it is new or an active one with the same dedupe key
 * @throws DomainError `UnknownDefinition` `DefinitionInactive` `Forbidden` `InvalidPayload` `InvalidArgument` `DedupeBusy`
 */
export async function enqueueJob(
  deps: Pick<JobsDeps, 'db' | 'queue' | 'validator'>,
  actor: Actor,
  request: EnqueueJobRequest,
): Promise<EnqueueResult> {
  // The weakest role that may enqueue anything: others do not even learn which definitions there are.
  requireRole(actor, 'member', 'enqueue jobs');
  const definition = await activeDefinition(deps, request.definitionKey);
  checkEnqueueRole(actor, definition);
  checkDedupeKey(request.dedupeKey ?? null);
  const payload = deps.validator.check(definition, request.payload ?? {});
  const [result] = await deps.queue.enqueue(actor.tenantId, [
    {
      definitionKey: definition.key,
      payload,
      source: 'manual',
      priority: request.priority ?? 100,
      scheduledFor: request.scheduledFor ?? null,
      dedupeKey: request.dedupeKey ?? null,
      correlationId: request.correlationId ?? null,
      subject: request.subject ?? null,
      maxAttempts: request.maxAttempts ?? null,
      createdBy: actor.name,
    },
  ]);
  return result as EnqueueResult;
}

async function activeDefinition(deps: Pick<JobsDeps, 'db'>, key: string): Promise<DefinitionRow> {
  const { rows } = key.includes('\0')
    ? { rows: [] }
    : await deps.db.asWorker<DefinitionRow>(findDefinitions, [[key]]);
  const field = { field: 'definition' };
  if (rows[0] === undefined)
    throw new DomainError(
      'UnknownDefinition',
      `There is no job definition ${JSON.stringify(key.slice(0, 100))}.`,
      field,
    );
  if (!rows[0].is_active)
    throw new DomainError('DefinitionInactive', `Job definition ${key} is not active.`, field);
  return rows[0];
}

/** A caller's job under a pipeline's key would be taken for the pipeline's own, which then never runs. */
function checkDedupeKey(dedupeKey: string | null): void {
  if (dedupeKey?.startsWith(RESERVED_KEY_PREFIX) !== true) return;
  const allowed = `a key that does not begin with "${RESERVED_KEY_PREFIX}"`;
  const shown = JSON.stringify(dedupeKey.slice(0, 80));
  throw new DomainError('InvalidArgument', `dedupeKey is ${shown}; allowed: ${allowed}.`, {
    field: 'dedupeKey',
    allowed,
  });
}

function checkEnqueueRole(actor: Actor, definition: DefinitionRow): void {
  if (definition.enqueue_role !== 'system') {
    requireRole(actor, definition.enqueue_role, `enqueue ${definition.key}`);
    return;
  }
  throw new DomainError('Forbidden', `Only Millrace itself enqueues ${definition.key}.`, {
    allowed: 'system',
  });
}
