import { afterAll, expect, test } from 'vitest';
import { PayloadThreads } from '../../src/jobs/payload-threads.ts';
import { leastLoopDelayMs } from '../support/loop-delay.ts';

const threads = new PayloadThreads({ maxPayloadBytes: 2 * 1024 * 1024, timeoutMs: 1_000 });
afterAll(() => threads.close());

const ownerOf = (arg_schema: object) => ({
  id: JSON.stringify(arg_schema),
  key: 'threads',
  arg_schema: arg_schema as Readonly<Record<string, unknown>>,
  updated_at: new Date(0),
});
const OPEN = ownerOf({ type: 'object', properties: { n: { type: 'integer', default: 7 } } });
const CLOSED = ownerOf({ type: 'object', additionalProperties: false });
/** Takes time by the square of the list, and knows no end. */
const ENDLESS = ownerOf({ type: 'array', uniqueItems: true });
const endless = JSON.stringify(Array.from({ length: 60_000 }, (_, n) => ({ n })));

test('a payload comes back with the schema’s defaults, or with what is wrong with it', async () => {
  expect(JSON.parse(await threads.check('a', { definition: OPEN, json: '{"text":"x"}' }))).toEqual({
    text: 'x',
    n: 7,
  });
  await expect(threads.check('a', { definition: CLOSED, json: '{"text":"x"}' })).rejects.toMatchObject({
    code: 'InvalidPayload',
    details: { field: expect.stringMatching(/text/), problems: [{ allowed: expect.any(String) }] },
  });
});

test('80,000 unknown keys are refused at their first, while the process that asked is free', async () => {
  const json = JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`k${n}`, 1])));
  const delayMs = await leastLoopDelayMs(50, async () => {
    await expect(threads.check('a', { definition: CLOSED, json })).rejects.toMatchObject({
      details: { problems: { length: 1 } },
    });
  });
  expect(delayMs).toBeLessThan(200);
});

test('what takes too long is refused by name and its thread ended; other tenants are checked meanwhile and after', async () => {
  // Both threads are there: starting one takes a busy machine longer than a check may take.
  await Promise.all(
    ['greedy', 'other'].map((tenant) => threads.check(tenant, { definition: OPEN, json: '{}' })),
  );
  const order: string[] = [];
  const slow = [1, 2].map((n) =>
    threads.check('greedy', { definition: ENDLESS, json: endless }).then(
      () => order.push(`taken ${n}`),
      (error: { code: string; message: string }) => {
        expect(error).toMatchObject({
          code: 'InvalidPayload',
          message: expect.stringMatching(/takes longer than 1000 ms to check/),
        });
        order.push(`refused ${n}`);
      },
    ),
  );
  const quick = threads.check('other', { definition: OPEN, json: '{}' }).then(() => order.push('other'));
  await Promise.all([...slow, quick]);
  expect(order).toEqual(['other', 'refused 1', 'refused 2']);
  expect(JSON.parse(await threads.check('greedy', { definition: OPEN, json: '{}' }))).toEqual({ n: 7 });
});

test('closing fails what waits', async () => {
  const closing = new PayloadThreads({ maxPayloadBytes: 1024 * 1024 });
  const checks = [1, 2, 3].map(() => closing.check('a', { definition: ENDLESS, json: endless }));
  const settled = Promise.allSettled(checks);
  await closing.close();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
