import type { Static, TSchema } from 'typebox';
import { DomainError } from '../../../core/errors.ts';
import { maskPayload } from '../../../core/redaction/secret-fields.ts';
import type { EventRow, TriggerRow, TriggerRunRow } from '../../../db/prisma.ts';
import type { RestContext } from '../../../rest/context.ts';
import { Type } from '../../../rest/schema.ts';
import { timeOrNull, timeText } from '../../../rest/shown-job.ts';
import { timeOf } from '../../../rest/times.ts';
import { maskTemplate } from '../template/mask-template.ts';
import type { TriggerFields } from '../use-cases/trigger-fields.ts';
import {
  type EventSchema,
  FIELDS,
  TIMES,
  type TRIGGER_TYPES,
  type TriggerRunSchema,
  type TriggerSchema,
} from './schemas.ts';

const FieldsSchema = Type.Object(FIELDS);
const TimesSchema = Type.Object(TIMES);
type Fields = Static<typeof FieldsSchema>;
type Times = Static<typeof TimesSchema>;
type Words<S extends TSchema, K extends keyof Static<S>> = Static<S>[K];

/**
 * The times of a schedule as the use-cases take them; what is absent stays absent. @throws DomainError
 * `InvalidArgument`
 */
export function timesOf(given: Times) {
  const { cron_expr: cron, every_seconds: everySeconds, timezone: timeZone } = given;
  return defined({
    cron,
    everySeconds,
    runAt: timeOf('run_at', given.run_at),
    timeZone,
    missingHour: given.missing_hour,
    repeatedHour: given.repeated_hour,
    startsAt: timeOf('starts_at', given.starts_at),
    endsAt: timeOf('ends_at', given.ends_at),
  });
}

/** A trigger's fields likewise. */
export function fieldsOf(given: Fields): Omit<TriggerFields, 'label' | 'definitionKey'> {
  return {
    ...timesOf(given),
    ...defined({
      eventName: given.event_name,
      condition: given.condition,
      missedRuns: given.missed_runs,
      backfillLimit: given.backfill_limit,
      jitterSeconds: given.jitter_seconds,
      skipWhileActive: given.skip_while_active,
      isEnabled: given.is_enabled,
      payloadTemplate: given.payload_template,
      priority: given.priority,
      dedupeWindowSeconds: given.dedupe_window_seconds,
    }),
  };
}

/**
 * Checks that the type that a body says is that of its fields.
 * @throws DomainError `InvalidArgument`
 */
export function checkType(type: (typeof TRIGGER_TYPES)[number], given: Fields): void {
  const isEvent = given.event_name != null;
  if (isEvent === (type === 'event')) return;
  const allowed = type === 'event' ? 'event_name' : 'cron_expr, every_seconds or run_at, without event_name';
  throw new DomainError(
    'InvalidArgument',
    `trigger_type is ${JSON.stringify(type)}; allowed with it: ${allowed}.`,
    {
      field: 'trigger_type',
      allowed,
    },
  );
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}

export async function shownTrigger(
  { operation }: RestContext,
  row: TriggerRow,
): Promise<Static<typeof TriggerSchema>> {
  const definition = await operation.loaders.definition.load(row.definitionId);
  if (definition === null) throw new Error(`Trigger ${row.id} has no definition`);
  return {
    id: row.id,
    tenant_id: row.tenantId,
    label: row.label,
    trigger_type: row.kind as (typeof TRIGGER_TYPES)[number],
    definition_key: definition.key,
    is_enabled: row.isEnabled,
    event_name: row.eventPattern,
    condition: row.condition,
    cron_expr: row.cron,
    every_seconds: row.everySeconds,
    run_at: timeOrNull(row.runAt),
    timezone: row.kind === 'schedule' ? row.timeZone : null,
    missing_hour: row.missingHour as Words<typeof TriggerSchema, 'missing_hour'>,
    repeated_hour: row.repeatedHour as Words<typeof TriggerSchema, 'repeated_hour'>,
    missed_runs: row.missedRuns as Words<typeof TriggerSchema, 'missed_runs'>,
    backfill_limit: row.backfillLimit,
    jitter_seconds: row.jitterSeconds,
    starts_at: timeOrNull(row.startsAt),
    ends_at: timeOrNull(row.endsAt),
    skip_while_active: row.skipWhileActive,
    next_run_at: timeOrNull(row.nextAt),
    last_run_at: timeOrNull(row.lastAt),
    payload_template: maskTemplate(row.payloadTemplate),
    priority: row.priority,
    dedupe_window_seconds: row.dedupeWindowSeconds,
    created_by: row.createdBy,
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
    version: String(row.version),
  };
}

export function shownEvent(row: EventRow): Static<typeof EventSchema> {
  return {
    id: row.id,
    name: row.name,
    data: maskPayload({}, row.data),
    correlation_id: row.correlationId,
    source_ref: row.sourceRef,
    created_by: row.createdBy,
    created_at: timeText(row.createdAt),
    processed_at: timeOrNull(row.processedAt),
    job_count: row.jobCount,
    trigger_count: row.triggerCount,
  };
}

export function shownRun(row: TriggerRunRow): Static<typeof TriggerRunSchema> {
  return {
    id: row.id,
    trigger_id: row.triggerId,
    event_id: row.eventId,
    job_id: row.jobId,
    outcome: row.outcome as Words<typeof TriggerRunSchema, 'outcome'>,
    reason: row.reason,
    scheduled_at: timeOrNull(row.scheduledAt),
    created_at: timeText(row.createdAt),
  };
}
