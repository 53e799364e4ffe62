import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanJson } from '../../src/core/clean-text.ts';
import { DomainError } from '../../src/core/errors.ts';
import { parseJson } from '../../src/core/parse-json.ts';
import type { EnqueueInput } from '../../src/core/queue.ts';
import { payloadJson } from '../../src/payloads/payload-json.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('a payload', () => {
  test.each([
    ['5 MB', { x: 'x'.repeat(5_000_000) }, 'PayloadTooLarge'],
    ['two bytes a character, over the limit', { x: '\u00e4'.repeat(600_000) }, 'PayloadTooLarge'],
    ['101 levels', nested(101), 'InvalidPayload'],
    ['100,000 levels', nested(100_000), 'InvalidPayload'],
    [
      'a circle',
      (() => {
        const a: unknown[] = [];
        a.push(a);
        return a;
      })(),
      'InvalidPayload',
    ],
    ['a bigint', { a: 1n }, 'InvalidPayload'],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
      'InvalidPayload',
    ],
    ['a key __proto__', JSON.parse('{"a": [{"__proto__": 1}]}'), 'InvalidPayload'],
  ])('of %s is refused with a typed error', async (_what, payload, code) => {
    await expect(q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload }])).rejects.toMatchObject({
      code,
      details: { field: 'payload', allowed: expect.stringMatching(/./) },
    });
  });

  test('that is too large is refused with its size and the limit', () => {
    expect(() => payloadJson('x'.repeat(98), 99)).toThrow(
      'payload is 100 bytes of JSON; allowed: at most 99 bytes of JSON.',
    );
    expect(payloadJson('x'.repeat(97), 99)).toHaveLength(99);
  });

  test('of 100 levels, with brackets in texts and __proto__ as a value, is taken', async () => {
    const payload = { deep: nested(99), text: '[{"'.repeat(200), value: '__proto__', 'a"__proto__"': 1 };
    const [result] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload }]);
    expect((await q.job(result?.id ?? ''))['payload']).toEqual(payload);
  });
});

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\0', '\ud800', '\udfff', '"', '\\', '\u2028'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 30,
});
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyText,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
/** Mostly good values, so that whole inputs are good often enough, and now and then one that is not. */
function mostly<T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<unknown>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: bad as fc.Arbitrary<T> });
}

const whole = (min: number, max: number) =>
  mostly(
    fc.integer({ min, max }),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 1e300, '7'),
  );
const goodText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((text) => !text.includes('\0'));
const text = mostly(goodText, anyText);
const time = (min: string, max: string) =>
  mostly(
    fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true }),
    fc.oneof(fc.date(), fc.constant('soon')),
  );

const anyInput = fc.record(
  {
    definitionKey: mostly(fc.constant('alpha'), anyText),
    payload: anyJson,
    priority: whole(0, 1_000_000),
    scheduledFor: time('1970-01-01', '2100-01-01'),
    expiresAt: time('2100-01-02', '2199-12-31'),
    timeoutSeconds: whole(1, 604_800),
    maxAttempts: whole(1, 1000),
    dedupeKey: text,
    dedupeWindowSeconds: mostly(fc.constant(undefined), whole(1, 31_536_000)),
    correlationId: text,
    sourceRef: text,
    createdBy: text,
    subject: fc.record({ type: text, id: text }),
    dependsOn: mostly(fc.constant([]), fc.array(fc.record({ jobId: anyText }), { maxLength: 2 })),
  },
  { requiredKeys: ['definitionKey', 'payload'] },
) as unknown as fc.Arbitrary<EnqueueInput>;

describe('whatever a caller asks for', () => {
  test('is stored and read back as it was given, but for what is cleaned, or refused with a typed error', async () => {
    let stored = 0;
    await fc.assert(
      fc.asyncProperty(anyInput, async (input) => {
        let id: string;
        try {
          const [result] = await q.queue.enqueue(tenantId, [input]);
          id = result?.id ?? '';
          if (result?.kind === 'existing') return;
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
          const { code, details } = error as DomainError;
          expect(['InvalidArgument', 'InvalidPayload', 'UnknownDefinition']).toContain(code);
          expect(details.field).toBeTruthy();
          return;
        }
        stored++;
        const row = await q.job(id);
        expect(row['payload']).toEqual(parseJson(cleanJson(input.payload ?? {})));
        expect(row).toMatchObject({
          priority: input.priority ?? 100,
          max_attempts: input.maxAttempts ?? 3,
          timeout_seconds: input.timeoutSeconds ?? null,
          dedupe_key: input.dedupeKey ?? null,
          correlation_id: input.correlationId ?? null,
          source_ref: input.sourceRef ?? null,
          created_by: input.createdBy ?? null,
          subject_type: input.subject?.type ?? null,
          subject_id: input.subject?.id ?? null,
          expires_at: input.expiresAt ?? null,
        });
      }),
      { numRuns: 80 },
    );
    expect(stored).toBeGreaterThan(10);
  });

  test('gets a result for each item of a bulk call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyInput, { maxLength: 20 }), async (inputs) => {
        const results = await q.queue.enqueueMany(tenantId, inputs);
        expect(results).toHaveLength(inputs.length);
        for (const [index, result] of results.entries())
          if (result.kind === 'invalid')
            expect(result.error.details.field).toMatch(new RegExp(`^inputs\\[${index}\\]`));
      }),
      { numRuns: 20 },
    );
  });
});
