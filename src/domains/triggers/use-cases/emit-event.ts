import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { checkStorableJson } from '../../../core/storable-json.ts';
import { EVENT_CHANNEL } from '../../../db/channels.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { payloadJson } from '../../../payloads/payload-json.ts';
import { parseEmittedName } from '../event-name.ts';
import { type InsertedEventRow, insertEvent } from '../sql/insert-event.ts';

/** Templates and conditions look at it again and again. */
const MAX_DATA_BYTES = 256 * 1024;

export interface EmitEventRequest {
  readonly name: string;
  /** A JSON object; empty by default. */
  readonly data?: unknown;
  /** Carried on to the jobs that it makes; the event's id by default. */
  readonly correlationId?: string | null | undefined;
  /** Where it comes from, for people: an id of the caller's own. */
  readonly sourceRef?: string | null | undefined;
}

/**
 * Writes an event of the actor's tenant. Its triggers' jobs are made by the leader of the workers right
 * after.
 * @returns the event's id
 * @throws DomainError `Forbidden` `InvalidArgument` `InvalidPayload` `PayloadTooLarge`
 */
export const emitEvent = defineUseCase(
  { name: 'emitEvent', role: 'member', scope: 'jobs:write', toDo: 'emit events' },
  async ({ db }: Pick<JobsDeps, 'db'>, actor: Caller, request: EmitEventRequest): Promise<string> => {
    const { correlationId = null, sourceRef = null, data } = request;
    const name = parseEmittedName(request.name);
    if (correlationId !== null) checkFilterText('correlationId', correlationId, 255);
    if (sourceRef !== null) checkFilterText('sourceRef', sourceRef, 1_024);
    return db.transaction({ role: 'api', tenantId: actor.tenantId }, async (tx) => {
      const { rows } = await tx.query<InsertedEventRow>(insertEvent, [
        actor.tenantId,
        name,
        dataJson(data),
        'api',
        sourceRef,
        correlationId,
        actor.name,
        EVENT_CHANNEL,
        null,
      ]);
      const { id } = rows[0] as InsertedEventRow;
      await recordOutcome(tx, id);
      return id;
    });
  },
);

function dataJson(data: unknown): string {
  if (data != null && (typeof data !== 'object' || Array.isArray(data)))
    throw new DomainError('InvalidArgument', 'data is no object; allowed: a JSON object.', {
      field: 'data',
      allowed: 'a JSON object',
    });
  try {
    const json = payloadJson(data ?? {}, MAX_DATA_BYTES);
    checkStorableJson('data', data, 'InvalidPayload');
    return json;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const field = error.details.field?.replace(/^payload/, 'data') ?? 'data';
    throw new DomainError(
      error.code,
      error.message.replace(/^payload/, 'data'),
      { ...error.details, field },
      error,
    );
  }
}
