import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { column, sharedColumn } from '../../src/queue/columns.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
afterAll(() => q.close());

async function read(type: string, given: unknown): Promise<readonly unknown[] | null> {
  const { rows } = await q.superuser.query(`select $1::${type}[] as values`, [given]);
  return rows[0].values;
}

/** What Postgres can hold: no NUL. */
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed());

describe('a column of a statement', () => {
  test('is read as it was given, whatever the texts', async () => {
    const texts = fc.oneof(
      text,
      fc.constantFrom('', 'NULL', '{}', '"', '\\', '\\"', 'a,b', ' ', "'", '\n'),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1 }), async (values) => {
        const read1 = await read(
          'text',
          column(values, (value) => value),
        );
        expect(read1).toEqual(values.every((value) => value === null) ? null : values);
      }),
      { numRuns: 200 },
    );
  });

  test('is read as it was given, whatever the numbers', async () => {
    const numbers = fc.oneof(fc.double(), fc.integer(), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(fc.array(numbers, { minLength: 1 }), async (values) => {
        const read1 = await read(
          'float8',
          column(values, (value) => value),
        );
        // Postgres keeps the sign of a zero, but nobody here asks for it.
        const plain = values.map((value) => (value === 0 ? 0 : value));
        expect(read1?.map((value) => (value === 0 ? 0 : value)) ?? null).toEqual(
          values.every((value) => value === null) ? null : plain,
        );
      }),
      { numRuns: 200 },
    );
  });

  test('keeps dates, also those of years with five digits', async () => {
    const dates = [new Date('2026-11-28T12:00:00.123Z'), null, new Date('+012026-01-01T00:00:00Z')];
    expect(
      await read(
        'timestamptz',
        column(dates, (date) => date),
      ),
    ).toEqual(dates);
  });

  test('is one value where all rows have the same, and none where no row has any', () => {
    const of = (value: number | null | undefined): number | null | undefined => value;
    expect(sharedColumn([7, 7, 7], of)).toBe('{7}');
    expect(sharedColumn([7, null, 7], of)).toBe('{7,NULL,7}');
    expect(sharedColumn([null, undefined], of)).toBeNull();
    expect(sharedColumn([], of)).toBeNull();
    expect(column([], of)).toBeNull();
  });
});
