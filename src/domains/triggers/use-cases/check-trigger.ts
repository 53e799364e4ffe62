import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { MISSING_HOUR_POLICIES, REPEATED_HOUR_POLICIES } from '../../../core/schedule/cron-runs.ts';
import { MISSED_RUNS_POLICIES } from '../../../core/schedule/due-ticks.ts';
import { parseCron } from '../../../core/schedule/parse-cron.ts';
import { parseTimeZone } from '../../../core/schedule/time-zone.ts';
import { parseCondition } from '../condition/parse-condition.ts';
import { requiredText } from '../condition/required-text.ts';
import { parseEventPattern } from '../event-name.ts';
import { parseTemplate } from '../template/parse-template.ts';
import type { TriggerColumns, TriggerFields } from './trigger-fields.ts';

const MAX_SECONDS = 31_622_400;
const EVENT_ONLY = ['condition', 'dedupeWindowSeconds'] as const;
const SCHEDULE_ONLY = [
  'timeZone',
  'missingHour',
  'repeatedHour',
  'missedRuns',
  'backfillLimit',
  'jitterSeconds',
  'startsAt',
  'endsAt',
  'skipWhileActive',
] as const;

/**
 * Checks everything about a trigger but its definition.
 * @throws DomainError `InvalidArgument`, which names the field and what is allowed in it
 */
export function checkTrigger(fields: TriggerFields): TriggerColumns {
  const kind = kindOf(fields);
  const { startsAt = null, endsAt = null, condition = null, eventName, cron } = fields;
  checkFilterText('label', fields.label, 200);
  if (fields.label.trim() === '') throw refused('label', 'is empty', '1 to 200 characters');
  const isEvent = kind === 'event';
  for (const field of isEvent ? SCHEDULE_ONLY : EVENT_ONLY)
    if (fields[field] != null)
      throw refused(
        field,
        `is no field of ${isEvent ? 'an event trigger' : 'a schedule'}`,
        `a ${isEvent ? 'schedule' : 'trigger with eventName'}`,
      );
  if (startsAt !== null && endsAt !== null && startsAt >= endsAt)
    throw refused('endsAt', `is ${endsAt.toISOString()}`, `a time after startsAt, ${startsAt.toISOString()}`);
  const parsed = condition === null ? null : parseCondition(condition);
  const template = fields.payloadTemplate ?? {};
  if (typeof template !== 'object' || Array.isArray(template))
    throw refused('payloadTemplate', 'is no object', 'an object, whose texts may hold placeholders');
  parseTemplate(template);
  return {
    label: fields.label,
    kind,
    is_enabled: fields.isEnabled ?? true,
    event_pattern: eventName == null ? null : parseEventPattern(eventName),
    condition,
    cron: cron == null ? null : parseCron(cron).text,
    every_seconds: wholeOrNull('everySeconds', fields.everySeconds, 1, MAX_SECONDS),
    run_at: fields.runAt ?? null,
    time_zone: parseTimeZone(fields.timeZone ?? 'UTC'),
    missing_hour: oneOf('missingHour', fields.missingHour ?? 'after', MISSING_HOUR_POLICIES),
    repeated_hour: oneOf('repeatedHour', fields.repeatedHour ?? 'first', REPEATED_HOUR_POLICIES),
    missed_runs: oneOf('missedRuns', fields.missedRuns ?? 'run_once', MISSED_RUNS_POLICIES),
    backfill_limit: whole('backfillLimit', fields.backfillLimit ?? 10, 1, 1_000),
    jitter_seconds: whole('jitterSeconds', fields.jitterSeconds ?? 0, 0, 86_400),
    starts_at: startsAt,
    ends_at: endsAt,
    skip_while_active: fields.skipWhileActive ?? false,
    payload_template: template,
    priority: whole('priority', fields.priority ?? 100, 0, 1_000_000),
    dedupe_window_seconds: whole('dedupeWindowSeconds', fields.dedupeWindowSeconds ?? 300, 0, MAX_SECONDS),
    watched_definition: parsed === null ? null : requiredText(parsed, 'definition'),
  };
}

function kindOf({ eventName, cron, everySeconds, runAt }: TriggerFields): 'event' | 'schedule' {
  const given = Object.entries({ eventName, cron, everySeconds, runAt }).filter(([, value]) => value != null);
  const [first, second] = given;
  const allowed = 'one of eventName, cron, everySeconds and runAt';
  if (first === undefined) throw refused('input', 'says neither an event nor a time', allowed);
  if (second !== undefined) throw refused(second[0], `stands beside ${first[0]}`, allowed);
  return first[0] === 'eventName' ? 'event' : 'schedule';
}

function whole(field: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw refused(field, `is ${value}`, `${min} to ${max}`);
}

function wholeOrNull(
  field: string,
  value: number | null | undefined,
  min: number,
  max: number,
): number | null {
  return value == null ? null : whole(field, value, min, max);
}

function oneOf<Word extends string>(field: string, value: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === value);
  if (word === undefined) throw refused(field, `is ${JSON.stringify(value.slice(0, 80))}`, words.join(', '));
  return word;
}

function refused(field: string, problem: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} ${problem}; allowed: ${allowed}.`, { field, allowed });
}
