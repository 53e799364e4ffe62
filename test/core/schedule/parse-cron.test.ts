import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { cronInWords } from '../../../src/core/schedule/cron-words.ts';
import { parseCron } from '../../../src/core/schedule/parse-cron.ts';
import { offsetText, parseTimeZone, wallTimeAt } from '../../../src/core/schedule/time-zone.ts';

function refusal(read: () => unknown): DomainError {
  try {
    read();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('It was accepted');
}

describe('a cron expression', () => {
  test.each([
    ['30 2 * * *', '30 2 * * *', true],
    ['  0   9\t* * mon-fri ', '0 9 * * MON-FRI', true],
    ['@daily', '0 0 * * *', true],
    ['@hourly', '0 * * * *', false],
    ['*/15 9-17 * * 1-5', '*/15 9-17 * * 1-5', false],
    ['0 9 LW * *', '0 9 LW * *', true],
    ['0 9 15W * *', '0 9 15W * *', true],
    ['0 9 * * 5L', '0 9 * * 5L', true],
    ['0 9 * * FRI#2', '0 9 * * FRI#2', true],
    ['*/10 0 3 * * *', '*/10 0 3 * * *', false],
    ['0 0 29 2 *', '0 0 29 2 *', true],
  ])('%j is read as %j', (written, text, isFixedTime) => {
    expect(parseCron(written)).toMatchObject({ text, isFixedTime });
  });

  test.each([
    ['60 * * * *', /minute \(field 1\) holds "60"/, /0 to 59/],
    ['0 24 * * *', /hour \(field 2\) holds "24"/, /0 to 23/],
    ['0 0 0 * *', /day of the month \(field 3\)/, /1 to 31/],
    ['0 0 * FEBRUARY *', /month \(field 4\)/, /JAN to DEC/],
    ['0 0 * * 8', /day of the week \(field 5\)/, /0 to 7/],
    ['0 22-2 * * *', /start is after its end; write two ranges, such as 22-23,0-2/, /ranges/],
    ['5/15 * * * *', /needs \* or a range, such as 5-59\/15/, /steps/],
    ['*/0 * * * *', /step is not a number from 1 to 60/, /0 to 59/],
    ['1,,2 * * * *', /empty entry/, /lists/],
    ['H * * * *', /jitter/, /0 to 59/],
    ['? * * * *', /write \* for any value/, /0 to 59/],
    ['0 0 L-2 * *', /not supported, only L and LW/, /LW/],
    ['0 0 15W,LW * *', /LW stands alone/, /LW/],
    ['0 0 * * L', /5L for the last Friday/, /5L/],
    ['0 0 * * 5#6', /# takes 1 to 5/, /5#2/],
    ['@every 5m', /everySeconds/, /everySeconds/],
    ['@fortnightly', /unknown macro @fortnightly/, /@weekly/],
    ['TZ=UTC 0 0 * * *', /names a time zone/, /field of its own/],
    ['* * * *', /has 4 fields/, /5 fields/],
    ['0 0 1 1 * 2027 1', /has 7 fields/, /5 fields/],
    ['0 0 30 2 *', /no date matches/, /at least one date/],
    ['0 0 31 4,6,9,11 *', /no date matches/, /at least one date/],
    [' '.repeat(201), /201 characters/, /200/],
    ['', /has 1 fields/, /5 fields/],
  ])('%j is refused with its reason and what is allowed', (written, message, allowed) => {
    const error = refusal(() => parseCron(written, 'input.cron'));
    expect(error.message).toMatch(message);
    expect(error.details.allowed).toMatch(allowed);
    expect(error.details.field).toBe('input.cron');
  });

  test('is either read or refused by a typed error, whatever the text', () => {
    const words = fc.constantFrom(
      '*',
      '1',
      '31',
      'L',
      'W',
      '#',
      '/',
      '-',
      ',',
      ' ',
      'MON',
      'JAN',
      '@daily',
      '5L',
      '1-5',
      '*/7',
      '?',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 30 }).map((parts) => parts.join('')),
        ),
        (text) => {
          try {
            cronInWords(parseCron(text));
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('is put in words by a 24-hour clock, and says what two restricted days mean', () => {
    expect(cronInWords(parseCron('30 14 * * *'))).toBe('At 14:30, every day');
    expect(cronInWords(parseCron('0 0 13 * 5'))).toMatch(/Friday \(either of the two suffices\)$/);
  });
});

describe('a time zone', () => {
  test('is known by its IANA name', () => {
    expect(parseTimeZone('europe/berlin')).toBe('Europe/Berlin');
    expect(wallTimeAt(new Date('2026-07-01T10:00:00.900Z'), 'Europe/Berlin')).toEqual({
      local: '2026-07-01T12:00:00',
      offsetSeconds: 7200,
    });
  });

  test.each(['', '+02:00', 'Berlin', 'Europe/Atlantis', 'x'.repeat(65)])('%j is refused', (name) => {
    expect(refusal(() => parseTimeZone(name, 'input.timeZone')).details).toMatchObject({
      field: 'input.timeZone',
    });
  });

  test('writes its offset as ISO 8601 does', () => {
    expect([0, 7200, -12_600, 1172].map(offsetText)).toEqual(['+00:00', '+02:00', '-03:30', '+00:19:32']);
  });
});
