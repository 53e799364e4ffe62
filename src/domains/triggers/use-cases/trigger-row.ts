import type { Actor } from '../../../core/actor.ts';
import { DomainError } from '../../../core/errors.ts';
import { dueAt, nextTick } from '../../../core/schedule/schedule.ts';
import type { Transaction } from '../../../db/database.ts';
import type { DefinitionRow } from '../../../db/sql/queue/find-definitions.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { scheduleOf } from '../dispatch/row-schedule.ts';
import type { TriggerLockRow } from '../sql/lock-trigger.ts';
import { parseTemplate } from '../template/parse-template.ts';
import { definitionFor } from './definition-for.ts';
import type { TriggerColumns, TriggerFields } from './trigger-fields.ts';

/** What decides when a schedule runs: a change of one of them begins it again. */
const TIMES = [
  'cron',
  'every_seconds',
  'run_at',
  'time_zone',
  'missing_hour',
  'repeated_hour',
  'jitter_seconds',
  'starts_at',
  'ends_at',
] as const;

/**
 * A checked trigger as its row is written, with its next tick.
 * @throws DomainError `UnknownDefinition` `Forbidden` `InvalidPayload`; `InvalidArgument` for a schedule
 *   without a tick from now on
 */
export async function rowOf(
  { payloads }: Pick<JobsDeps, 'payloads'>,
  tx: Transaction,
  actor: Actor,
  fields: TriggerFields,
  columns: TriggerColumns,
  {
    id,
    now,
    previous,
  }: { readonly id: string; readonly now: Date; readonly previous: TriggerLockRow | null },
): Promise<Readonly<Record<string, unknown>>> {
  const definition = await definitionFor(tx, actor, fields.definitionKey);
  await checkConstant(payloads, actor, definition, columns.payload_template);
  const { tenantId } = actor;
  return {
    ...columns,
    id,
    tenant_id: tenantId,
    definition_id: definition.id,
    ...timesOf(id, columns, now, previous),
  };
}

/** A template without placeholders is a payload: what is wrong with it is said now, and not at each tick. */
async function checkConstant(
  payloads: JobsDeps['payloads'],
  actor: Actor,
  definition: DefinitionRow,
  template: unknown,
): Promise<void> {
  const parsed = parseTemplate(template);
  if (!isConstant(parsed)) return;
  try {
    await payloads.check(actor.tenantId, definition, template);
  } catch (error) {
    throw error instanceof DomainError ? ofTemplate(error) : error;
  }
}

/** The error about a payload, naming what the caller gave: the template. */
function ofTemplate(error: DomainError): DomainError {
  const renamed = (field: string): string => field.replace(/^payload\b/, 'payloadTemplate');
  const { field, problems, ...rest } = error.details;
  const named = problems as readonly { readonly field: string }[] | undefined;
  return new DomainError(
    error.code,
    error.message,
    {
      ...rest,
      ...(field !== undefined && { field: renamed(field) }),
      ...(named !== undefined && { problems: named.map((one) => ({ ...one, field: renamed(one.field) })) }),
    },
    error,
  );
}

function isConstant(node: ReturnType<typeof parseTemplate>): boolean {
  switch (node.kind) {
    case 'constant':
      return true;
    case 'text':
      return false;
    case 'list':
      return node.items.every(isConstant);
    case 'object':
      return node.entries.every(([, item]) => isConstant(item));
  }
}

function timesOf(
  id: string,
  columns: TriggerColumns,
  now: Date,
  previous: TriggerLockRow | null,
): { next_at: Date | null; due_at: Date | null } {
  if (columns.kind === 'event') return { next_at: null, due_at: null };
  if (previous !== null && goesOn(previous, columns))
    return { next_at: previous.next_at, due_at: previous.due_at };
  const anchor = columns.starts_at ?? new Date(now.getTime() + (columns.every_seconds ?? 0) * 1_000);
  const schedule = scheduleOf({ id, ...columns }, anchor);
  const next = nextTick(schedule, now);
  if (next !== null) return { next_at: next, due_at: dueAt(schedule, next) };
  const field = columns.run_at === null ? 'endsAt' : 'runAt';
  const allowed = 'a schedule with at least one run from now on';
  throw new DomainError(
    'InvalidArgument',
    `${field} leaves no run after ${now.toISOString()}; allowed: ${allowed}.`,
    { field, allowed },
  );
}

/** Neither its times have changed nor was it paused: it waits for the tick that it waited for. */
function goesOn(previous: TriggerLockRow, columns: TriggerColumns): boolean {
  if (previous.kind !== 'schedule' || (columns.is_enabled && !previous.is_enabled)) return false;
  return TIMES.every((column) => timeOf(previous[column]) === timeOf(columns[column]));
}

function timeOf(value: string | number | Date | null): string | number | null {
  return value instanceof Date ? value.getTime() : value;
}

/** A row as its owner would write it, for a change of some of its fields. */
export function fieldsOf(row: TriggerLockRow): TriggerFields {
  const common = {
    label: row.label,
    definitionKey: row.definition_key,
    isEnabled: row.is_enabled,
    payloadTemplate: row.payload_template,
    priority: row.priority,
  };
  if (row.kind === 'event')
    return {
      ...common,
      eventName: row.event_pattern,
      condition: row.condition,
      dedupeWindowSeconds: row.dedupe_window_seconds,
    };
  return {
    ...common,
    cron: row.cron,
    everySeconds: row.every_seconds,
    runAt: row.run_at,
    timeZone: row.time_zone,
    missingHour: row.missing_hour,
    repeatedHour: row.repeated_hour,
    missedRuns: row.missed_runs,
    backfillLimit: row.backfill_limit,
    jitterSeconds: row.jitter_seconds,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    skipWhileActive: row.skip_while_active,
  };
}
