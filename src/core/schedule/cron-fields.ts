/**
 * One field of a cron expression: its name in messages, its range, its names for values and the special forms
 * that it takes.
 */
export interface CronField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names that stand for `min`, `min + 1` …, in order. */
  readonly names: readonly string[];
  /** `L`, `LW` and `15W` of a day of the month; `L`, `5L`, `5#2` of a day of the week. */
  readonly special: 'none' | 'dayOfMonth' | 'dayOfWeek';
}

const field = (name: string, min: number, max: number, rest: Partial<CronField> = {}): CronField => ({
  name,
  min,
  max,
  names: [],
  special: 'none',
  ...rest,
});

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The optional first field of an expression of six fields. */
export const SECOND_FIELD = field('second', 0, 59);

/** The five fields of Vixie cron, in their order. 7 is Sunday too. */
export const FIVE_FIELDS: readonly CronField[] = [
  field('minute', 0, 59),
  field('hour', 0, 23),
  field('day of the month', 1, 31, { special: 'dayOfMonth' }),
  field('month', 1, 12, { names: MONTHS }),
  field('day of the week', 0, 7, { names: DAYS, special: 'dayOfWeek' }),
];

/** What a field takes, for messages: `0 to 59, *, lists, ranges and steps (1,5 1-5 *\/5)`. */
export function allowedIn({ min, max, names, special }: CronField): string {
  const values = names.length > 0 ? `${min} to ${max} or ${names[0]} to ${names.at(-1)}` : `${min} to ${max}`;
  const forms = special === 'dayOfMonth' ? ', L, LW and 15W' : special === 'dayOfWeek' ? ', 5L and 5#2' : '';
  return `${values}, *, lists, ranges and steps (1,5 1-5 */5)${forms}`;
}
