import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import { parseJson } from '../../../core/parse-json.ts';
import { maskPayload } from '../../../core/redaction/secret-fields.ts';
import type { Database } from '../../../db/database.ts';
import { definitionsByKey } from '../../../db/definitions-by-key.ts';
import { findTenant, type TenantRow } from '../../../db/sql/identity/find-tenant.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { payloadJson } from '../../../payloads/payload-json.ts';
import { isSatisfied } from '../condition/condition.ts';
import { parseCondition } from '../condition/parse-condition.ts';
import type { RunOutcome } from '../dispatch/run-log.ts';
import { eventContext, scheduleContext } from '../dispatch/template-context.ts';
import { orderedJob } from '../dispatch/trigger-job.ts';
import { parseEventName, patternsOf } from '../event-name.ts';
import { checkTrigger } from './check-trigger.ts';
import type { TriggerFields } from './trigger-fields.ts';

/** What a trigger would be tried with: an event, or a time. */
export interface TriggerTrial {
  readonly event?: { readonly name: string; readonly data?: unknown } | null | undefined;
  readonly scheduledAt?: Date | null | undefined;
}

export interface TrialResult {
  /** `null`: the trigger does not listen to events of this name. */
  readonly outcome: RunOutcome | null;
  readonly reason: string | null;
  /** As it would be shown, with the schema's defaults and without its secrets. */
  readonly payload: unknown;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * What a trigger would do, without doing it: the name, the condition, the template, the definition's schema.
 * It looks up no duplicates.
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const testTrigger = defineUseCase(
  { name: 'testTrigger', role: 'tenant_admin', scope: 'admin', toDo: 'test triggers' },
  async (
    { db, payloads, config }: Pick<JobsDeps, 'db' | 'payloads' | 'config'>,
    actor: Caller,
    fields: TriggerFields,
    trial: TriggerTrial,
  ): Promise<TrialResult> => {
    const columns = checkTrigger(fields);
    const trigger = { id: NO_ID, label: columns.label, time_zone: columns.time_zone };
    const tenant = { tenant_id: actor.tenantId, tenant_slug: await slugOf(db, actor.tenantId) };
    const { event } = trial;
    if (columns.kind === 'event') {
      const name = parseEventName(event?.name ?? columns.event_pattern ?? '', 'event.name');
      if (!patternsOf(name).includes(columns.event_pattern ?? ''))
        return none(null, `The trigger listens to ${columns.event_pattern}, which ${name} does not match.`);
      if (columns.condition !== null && !isSatisfied(parseCondition(columns.condition), event?.data ?? {}))
        return none('condition_false', 'The event does not satisfy the condition.');
    }
    if (!columns.is_enabled) return none('disabled', 'The trigger is disabled.');
    const context =
      columns.kind === 'event'
        ? eventContext(
            {
              id: NO_ID,
              ...tenant,
              name: event?.name ?? '',
              data: event?.data ?? {},
              created_at: new Date(),
              correlation_id: null,
            },
            trigger,
          )
        : scheduleContext(trial.scheduledAt ?? new Date(), { ...trigger, ...tenant });
    const definitions = await definitionsByKey(db, [fields.definitionKey]);
    const definition = definitions.get(fields.definitionKey);
    const job = await orderedJob(
      {
        trigger: {
          id: NO_ID,
          tenant_id: actor.tenantId,
          // Never that of a saved trigger, and another one for each trial: templates are remembered by it.
          version: `trial ${JSON.stringify(columns.payload_template)}`,
          payload_template: columns.payload_template,
          priority: columns.priority,
          created_by: actor.name,
          definition_key: fields.definitionKey,
        },
        source: columns.kind,
        sourceRef: NO_ID,
        correlationId: null,
        context,
        dedupeWindowSeconds: 0,
      },
      definition,
      {
        checkPayload: (tenantId, definition, payload) => payloads.check(tenantId, definition, payload),
      },
    );
    if ('outcome' in job) return none(job.outcome, job.reason);
    try {
      const stored = parseJson(payloadJson(job.input.payload, config.maxPayloadBytes));
      return { outcome: 'enqueued', reason: null, payload: maskPayload(definition?.arg_schema, stored) };
    } catch (error) {
      if (error instanceof DomainError) return none('payload_refused', error.message);
      throw error;
    }
  },
);

function none(outcome: RunOutcome | null, reason: string): TrialResult {
  return { outcome, reason, payload: null };
}

async function slugOf(db: Database, tenantId: string): Promise<string> {
  const { rows } = await db.asWorker<TenantRow>(findTenant, [tenantId]);
  return rows[0]?.slug ?? '';
}
