import type { CronField } from './cron-fields.ts';

/**
 * Why one field of a cron expression is refused, or undefined. Stricter than the library that computes the
 * runs: it reads `?` as the present time, which would change with each evaluation, and a few forms of other
 * crons silently differ from what their users expect.
 */
export function cronFieldProblem(field: CronField, text: string): string | undefined {
  if (text === '?') return 'holds "?"; write * for any value';
  for (const part of text.split(',')) {
    const problem = part === '' ? 'has an empty entry in its list' : partProblem(field, part, text);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function partProblem(field: CronField, part: string, whole: string): string | undefined {
  const special = specialProblem(field, part, whole);
  if (special !== 'ordinary') return special;
  const [range = '', step, ...more] = part.split('/');
  if (more.length > 0) return `holds "${part}", which has two steps`;
  if (step !== undefined) {
    const problem = stepProblem(field, range, step, part);
    if (problem !== undefined) return problem;
  }
  if (range === '*') return undefined;
  const [from = '', to, ...rest] = range.split('-');
  if (rest.length > 0) return `holds "${part}", which is no range`;
  const low = valueIn(field, from);
  if (low === undefined) return valueProblem(from, part);
  if (to === undefined) return undefined;
  const high = valueIn(field, to);
  if (high === undefined) return valueProblem(to, part);
  if (high < low)
    return `holds "${part}", whose start is after its end; write two ranges, such as ${split(field, low, high)}`;
  return undefined;
}

/** What is wrong with `L`, `W` and `#`; `ordinary` when the part has none of them. */
function specialProblem(field: CronField, part: string, whole: string): string | undefined {
  if (field.special === 'dayOfMonth') {
    if (part === 'L') return undefined;
    if (part === 'LW') return whole === part ? undefined : 'holds LW in a list; LW stands alone';
    const day = /^(\d{1,2})W$/.exec(part)?.[1];
    if (day !== undefined) return valueIn(field, day) === undefined ? valueProblem(day, part) : undefined;
    if (/^L-/.test(part)) return `holds "${part}"; days before the last one are not supported, only L and LW`;
  }
  if (field.special === 'dayOfWeek') {
    if (part === 'L') return 'holds L alone; write the day before it, such as 5L for the last Friday';
    const [, day, nth] = /^(\w{1,3}?)(?:L|#(\w+))$/.exec(part) ?? [];
    if (day !== undefined) {
      if (valueIn(field, day) === undefined) return valueProblem(day, part);
      return nth === undefined || /^[1-5]$/.test(nth) ? undefined : `holds "${part}"; # takes 1 to 5`;
    }
  }
  return 'ordinary';
}

function stepProblem(field: CronField, range: string, step: string, part: string): string | undefined {
  if (range !== '*' && !range.includes('-'))
    return `holds "${part}"; a step needs * or a range, such as ${range}-${field.max}/${step}`;
  const size = field.max - field.min + 1;
  if (!/^\d{1,2}$/.test(step) || Number(step) < 1 || Number(step) > size)
    return `holds "${part}", whose step is not a number from 1 to ${size}`;
  return undefined;
}

function valueIn(field: CronField, text: string): number | undefined {
  const named = field.names.indexOf(text);
  if (named >= 0) return field.min + named;
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= field.min && value <= field.max ? value : undefined;
}

function valueProblem(value: string, part: string): string {
  if (/^H/.test(part)) return 'holds H; to spread runs, give the schedule a jitter instead';
  return value === part ? `holds "${part}"` : `holds "${value}" in "${part}"`;
}

function split(field: CronField, low: number, high: number): string {
  const last = field.special === 'dayOfWeek' ? 6 : field.max;
  return `${low}-${last},${field.min}-${high}`;
}
