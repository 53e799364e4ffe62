import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../../src/db/statement.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
afterAll(() => q.close());

const SELECT = `
  select true as yes, false as no, null::boolean as unknown, 2147483647 as most, -2147483648 as least, 0 as zero,
         9223372036854775807 as large, -9223372036854775808 as small, null::bigint as none,
         array[1, null, 3] as numbers, array[true, false] as truths, array[9007199254740993] as bigs,
         1.5::float8 as float, 12.50::numeric as exact, 7::smallint as short, '{"a": 1}'::jsonb as json`;

test('values of the worker’s statements are what the driver makes of them', async () => {
  const { rows } = await q.db.asWorker(statement('all_types', SELECT), []);
  const { rows: asDriver } = await q.superuser.query(SELECT);
  expect(rows).toEqual(asDriver);
  expect(rows[0]).toMatchObject({ yes: true, no: false, most: 2147483647, large: '9223372036854775807' });
});

test('rows as arrays hold the same values in the order of the columns', async () => {
  const { rows } = await q.db.asWorker(statement('all_types_in_order', SELECT, { asArrays: true }), []);
  const { rows: asDriver } = await q.superuser.query(SELECT);
  expect(rows).toEqual([Object.values(asDriver[0])]);
});
