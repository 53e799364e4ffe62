import { localInput } from '../parts/local-input.ts';
import type { ListedTrigger } from './listed-trigger.ts';

export const TIMING_KINDS = ['cron', 'interval', 'once'] as const;

/** The units of an interval, the largest first. */
export const INTERVAL_UNITS = [
  { name: 'days', seconds: 86_400 },
  { name: 'hours', seconds: 3_600 },
  { name: 'minutes', seconds: 60 },
  { name: 'seconds', seconds: 1 },
] as const;

/** When a schedule runs, as its form holds it: what was typed under one kind stays while another is shown. */
export interface Timing {
  readonly kind: (typeof TIMING_KINDS)[number];
  readonly cron: string;
  /** As typed; of units of `unitSeconds`. */
  readonly intervalText: string;
  readonly unitSeconds: number;
  /** As `datetime-local` has it, in the browser's zone; empty for none. */
  readonly runAtText: string;
}

type Times = Pick<ListedTrigger, 'cron' | 'everySeconds' | 'runAt'>;

/** What a form begins with: the times of a schedule, and examples for the other kinds. */
export function timingOf(schedule: Times | null): Timing {
  const { cron = null, everySeconds = null, runAt = null } = schedule ?? {};
  const seconds = everySeconds ?? 300;
  const unit = INTERVAL_UNITS.find((each) => seconds % each.seconds === 0);
  const unitSeconds = unit?.seconds ?? 1;
  return {
    kind: everySeconds !== null ? 'interval' : runAt !== null ? 'once' : 'cron',
    cron: cron ?? '0 9 * * 1-5',
    intervalText: String(seconds / unitSeconds),
    unitSeconds,
    runAtText: runAt === null ? '' : localInput(runAt),
  };
}

/**
 * The API's input: of the three times one alone, null for the others, which takes them from a schedule that
 * had them.
 * @param schedule what the form began with: a time that was not touched keeps its milliseconds
 */
export function timesOf(
  { kind, cron, intervalText, unitSeconds, runAtText }: Timing,
  schedule: Times | null,
): Times {
  const none = { cron: null, everySeconds: null, runAt: null };
  if (kind === 'cron') return { ...none, cron };
  if (kind === 'interval') return { ...none, everySeconds: Number(intervalText) * unitSeconds };
  const before = schedule?.runAt ?? null;
  if (before !== null && localInput(before) === runAtText) return { ...none, runAt: before };
  return { ...none, runAt: runAtText === '' ? null : new Date(runAtText).toISOString() };
}

/** What decides whether a saved schedule goes on as it was: it is the server's rule, too. */
type Rules = Pick<
  ListedTrigger,
  'cron' | 'everySeconds' | 'runAt' | 'timeZone' | 'missingHour' | 'repeatedHour'
>;

/**
 * After which moment a preview begins; undefined for now. Equal distances are counted from the run that a
 * schedule waits for as long as its times are not changed, and from now on once they are.
 * @param schedule the one that is edited; null for a new one
 */
export function previewAfter(
  rules: Rules,
  schedule: (Rules & Pick<ListedTrigger, 'isEnabled' | 'nextRuns'>) | null,
): string | undefined {
  const next = schedule?.nextRuns[0]?.scheduledAt;
  const { everySeconds } = rules;
  if (schedule === null || next === undefined || everySeconds === null || !schedule.isEnabled)
    return undefined;
  const names = ['cron', 'everySeconds', 'runAt', 'timeZone', 'missingHour', 'repeatedHour'] as const;
  if (names.some((name) => rules[name] !== schedule[name])) return undefined;
  // The server counts a preview's distances from its beginning.
  return new Date(Date.parse(next) - everySeconds * 1_000).toISOString();
}
