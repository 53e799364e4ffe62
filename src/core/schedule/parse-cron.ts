import { Cron } from 'croner';
import { DomainError } from '../errors.ts';
import { cronFieldProblem } from './cron-field-problem.ts';
import { allowedIn, FIVE_FIELDS, SECOND_FIELD } from './cron-fields.ts';

/** Longer expressions are refused before they are read. */
export const CRON_MAX_CHARACTERS = 200;

const MACROS: Readonly<Record<string, string>> = {
  '@YEARLY': '0 0 1 1 *',
  '@ANNUALLY': '0 0 1 1 *',
  '@MONTHLY': '0 0 1 * *',
  '@WEEKLY': '0 0 * * 0',
  '@DAILY': '0 0 * * *',
  '@MIDNIGHT': '0 0 * * *',
  '@HOURLY': '0 * * * *',
};

/** A checked expression. */
export interface CronExpression {
  /**
   * Five or six fields in capitals with single blanks; macros are resolved. Two texts with the same runs may
   * still differ.
   */
  readonly text: string;
  /** It has a field of seconds. */
  readonly hasSeconds: boolean;
  /** No wildcard and no step in its times, so that the policies for clock changes apply to it. */
  readonly isFixedTime: boolean;
}

/**
 * Reads a cron expression as Vixie cron does: five fields, or six with seconds first; lists, ranges, steps,
 * names, `L`, `LW`, `15W`, `5L`, `5#2` and the macros. When both days are restricted, either of them
 * suffices.
 * @param expression the text as its user wrote it, at most 200 characters
 * @param field its path, for the error
 * @throws DomainError `InvalidArgument` with the field of the expression at fault and what is allowed in it
 */
export function parseCron(expression: string, field = 'cron'): CronExpression {
  if (expression.length > CRON_MAX_CHARACTERS)
    throw refused(field, `has ${expression.length} characters`, `at most ${CRON_MAX_CHARACTERS} characters`);
  const written = expression
    .trim()
    .toUpperCase()
    .split(/[ \t]+/);
  const fields = written[0]?.startsWith('@') === true ? macroFields(written, field) : written;
  if (/^(CRON_)?TZ=/.test(fields[0] ?? ''))
    throw refused(field, 'names a time zone', 'the time zone in a field of its own');
  if (fields.length !== 5 && fields.length !== 6)
    throw refused(
      field,
      `has ${fields.length} fields`,
      '5 fields (minute hour day month weekday), or 6 with seconds first',
    );
  const kinds = fields.length === 6 ? [SECOND_FIELD, ...FIVE_FIELDS] : FIVE_FIELDS;
  for (const [index, kind] of kinds.entries()) {
    const problem = cronFieldProblem(kind, fields[index] ?? '');
    if (problem !== undefined)
      throw refused(field, `is refused: the ${kind.name} (field ${index + 1}) ${problem}`, allowedIn(kind));
  }
  return checked(fields, field);
}

function macroFields(words: readonly string[], field: string): readonly string[] {
  const word = words.join(' ');
  if (word.startsWith('@EVERY'))
    throw refused(field, 'holds @every', 'an interval, given as everySeconds instead of cron');
  const fields = MACROS[word];
  if (fields === undefined)
    throw refused(
      field,
      `holds the unknown macro ${word.toLowerCase()}`,
      Object.keys(MACROS).join(', ').toLowerCase(),
    );
  return fields.split(' ');
}

/**
 * The library's own reading as the last word, and the question whether there is a run at all (`0 0 30 2 *`
 * has none).
 */
function checked(fields: readonly string[], field: string): CronExpression {
  const text = fields.join(' ');
  let cron: Cron;
  try {
    cron = new Cron(text, { mode: '5-or-6-parts', timezone: 'UTC', fixedTimeRule: 'no-wildcard' });
  } catch (error) {
    throw refused(
      field,
      `is refused: ${error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'unreadable'}`,
    );
  }
  if (cron.nextRun(new Date('2000-01-01T00:00:00Z')) === null)
    throw refused(field, 'never comes: no date matches it', 'an expression with at least one date');
  const times = fields.slice(0, fields.length - 3).join(' ');
  return { text, hasSeconds: fields.length === 6, isFixedTime: !/[*/]/.test(times) };
}

function refused(field: string, problem: string, allowed?: string): DomainError {
  const message = `${field} ${problem}${allowed === undefined ? '' : `; allowed: ${allowed}`}`;
  return new DomainError('InvalidArgument', message, {
    field,
    ...(allowed === undefined ? {} : { allowed }),
  });
}
