import type { Caller } from '../access/caller.ts';
import { requireRole } from '../access/require-role.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { Actor } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import type { JobMetadata, Subject } from '../core/job.ts';
import { parseJson } from '../core/parse-json.ts';
import { pipelineDedupeKey, RESERVED_KEY_PREFIX } from '../core/pipelines/dedupe-key.ts';
import type { Dependency, EnqueueInput, EnqueueResult } from '../core/queue.ts';
import { hasSecretFields } from '../core/redaction/secret-fields.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';
import { JsonText } from '../payloads/payload-json.ts';
import type { SecretBox } from '../payloads/secret-box.ts';
import { checkCommand } from './check-command.ts';
import { enqueueableKeys, withGuess } from './definition-guess.ts';
import type { JobsDeps } from './deps.ts';
import { checkWithinReach } from './enqueue-reach.ts';

export interface EnqueueJobRequest {
  readonly definitionKey: string;
  readonly payload: unknown;
  readonly priority?: number | null | undefined;
  readonly scheduledFor?: Date | null | undefined;
  readonly expiresAt?: Date | null | undefined;
  readonly timeoutSeconds?: number | null | undefined;
  readonly dedupeKey?: string | null | undefined;
  readonly dedupeWindowSeconds?: number | null | undefined;
  readonly dependsOn?: readonly Dependency[] | null | undefined;
  readonly correlationId?: string | null | undefined;
  readonly subject?: Subject | null | undefined;
  readonly maxAttempts?: number | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
  /** An object; what it is by then is checked. */
  readonly metadata?: unknown;
}

/**
 * Enqueues one job for the actor's tenant, its payload checked against the definition's schema before
 * anything is written.
 * @returns the job's id, and whether it is new or an active one with the same dedupe key
 * @throws DomainError `UnknownDefinition` `DefinitionInactive` `Forbidden` `InvalidPayload` `PayloadTooLarge`
 *   `InvalidArgument` `DedupeBusy`
 */
export const enqueueJob = defineUseCase(
  { name: 'enqueueJob', role: 'member', scope: 'jobs:write', toDo: 'enqueue jobs' },
  async (
    deps: Pick<JobsDeps, 'queue' | 'payloads' | 'db' | 'commandKeys' | 'secrets'>,
    actor: Caller,
    request: EnqueueJobRequest,
  ): Promise<EnqueueResult> => {
    if (actor.reach !== undefined) checkWithinReach(actor.reach, request);
    try {
      return await deps.queue.enqueueChecked(actor.tenantId, request.definitionKey, (definition) =>
        inputOf(deps, actor, definition, request),
      );
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code !== 'UnknownDefinition') throw toApiError(error);
      throw withGuess(toApiError(error), request.definitionKey, await enqueueableKeys(deps, actor));
    }
  },
);

/** The API calls a definition's key `definition`, the key of a subject `key` and several inputs `jobs`. */
export function toApiError(error: DomainError): DomainError {
  const { field } = error.details;
  const named = inputName(field ?? '');
  if (field === undefined || named === field) return error;
  const message = error.message.replace(/^inputs(?=[[ ])/, 'jobs').replace(field, named);
  return new DomainError(error.code, message, { ...error.details, field: named }, error.cause);
}

function inputName(field: string): string {
  return field
    .replace(/^inputs(?=\[|$)/, 'jobs')
    .replace(/(^|\.)definitionKey$/, '$1definition')
    .replace(/(^|\.)subject\.id$/, '$1subject.key');
}

/**
 * What is asked of the queue, after the actor's role, the dedupe key and the payload have been checked.
 * @throws DomainError `Forbidden` `InvalidArgument` `InvalidPayload` `PayloadTooLarge`
 */
export function inputOf(
  { payloads, commandKeys, secrets }: Pick<JobsDeps, 'payloads' | 'commandKeys' | 'secrets'>,
  actor: Actor,
  definition: DefinitionRow,
  request: EnqueueJobRequest,
): EnqueueInput | Promise<EnqueueInput> {
  checkEnqueueRole(actor, definition);
  checkCommand(commandKeys, definition);
  checkDedupeKey(request.dedupeKey ?? null);
  const payload = payloads.check(actor.tenantId, definition, request.payload ?? {});
  const { key, arg_schema: schema } = definition;
  const sealed = (checked: unknown): unknown => sealPayload(secrets, actor.tenantId, schema, checked);
  const asked = withSubjectKey(definition, request);
  return payload instanceof Promise
    ? payload.then((checked) => inputWith(sealed(checked), key, actor, asked))
    : inputWith(sealed(payload), key, actor, asked);
}

/**
 * The key that the database keeps for a definition with one active job per subject: the job that is
 * active is returned.
 */
function withSubjectKey(definition: DefinitionRow, request: EnqueueJobRequest): EnqueueJobRequest {
  if (!definition.is_single_per_subject || request.subject == null) return request;
  return { ...request, dedupeKey: pipelineDedupeKey(definition.key, request.subject.id) };
}

/** Text that was checked in a thread is read again only where there is something to encrypt. */
function sealPayload(secrets: SecretBox, tenantId: string, schema: unknown, payload: unknown): unknown {
  if (!secrets.isActive || !hasSecretFields(schema)) return payload;
  if (!(payload instanceof JsonText)) return secrets.seal(tenantId, schema, payload);
  return new JsonText(JSON.stringify(secrets.seal(tenantId, schema, parseJson(payload.json))));
}

function inputWith(
  payload: unknown,
  definitionKey: string,
  actor: Actor,
  request: EnqueueJobRequest,
): EnqueueInput {
  return {
    definitionKey,
    payload,
    source: 'manual',
    priority: request.priority ?? 100,
    scheduledFor: request.scheduledFor ?? null,
    expiresAt: request.expiresAt ?? null,
    timeoutSeconds: request.timeoutSeconds ?? null,
    dedupeKey: request.dedupeKey ?? null,
    dedupeWindowSeconds: request.dedupeWindowSeconds ?? null,
    dependsOn: request.dependsOn ?? [],
    correlationId: request.correlationId ?? null,
    subject: request.subject ?? null,
    maxAttempts: request.maxAttempts ?? null,
    tags: request.tags ?? null,
    metadata: (request.metadata ?? null) as JobMetadata | null,
    createdBy: actor.name,
  };
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
    requireRole(actor, definition.enqueue_role, `enqueue ${definition.key}`, 'jobs:write');
    return;
  }
  throw new DomainError('Forbidden', `Only Millrace itself enqueues ${definition.key}.`, {
    allowed: 'no caller: it is a stage of a pipeline',
  });
}
