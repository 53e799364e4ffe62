import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JOB_STATUSES } from '../../src/core/job.ts';
import { storedDedupeKey } from '../../src/library/dedupe-key.ts';
import {
  canRetry,
  getBackoffDelayMs,
  type JobStatus,
  makeJobDedupeKey,
  toLibraryStatus,
} from '../../src/library/index.ts';

describe('the backoff of the jobs library', () => {
  test('is a second for none and one attempt, doubles from there, and ends at a minute', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 100_000].map(getBackoffDelayMs);
    expect(delays).toEqual([
      1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000,
    ]);
  });

  test('is a whole number of seconds from 1 to 60 that never shrinks, whatever number it is given', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 5000 }), (attempts) => {
        const delayMs = getBackoffDelayMs(attempts);
        expect(Number.isInteger(delayMs) && delayMs >= 1_000 && delayMs <= 60_000).toBe(true);
        expect(getBackoffDelayMs(attempts + 1)).toBeGreaterThanOrEqual(delayMs);
      }),
    );
    expect([-1, Number.NaN, 0.9].map(getBackoffDelayMs)).toEqual([1_000, 1_000, 1_000]);
  });
});

describe('whether a job may run again', () => {
  test('is no when it has succeeded or runs, else a matter of attempts, five by default', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<JobStatus>('queued', 'running', 'success', 'failed'),
        fc.nat(20),
        fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
        (status, attempts, maxAttempts) => {
          const isOver = status === 'success' || status === 'running';
          expect(canRetry(status, attempts, maxAttempts)).toBe(!isOver && attempts < (maxAttempts ?? 5));
        },
      ),
    );
    expect([4, 5].map((attempts) => canRetry('failed', attempts))).toEqual([true, false]);
  });

  test('is asked in the library’s words for the engine’s statuses', () => {
    expect(JOB_STATUSES.map((status) => [status, toLibraryStatus(status)])).toEqual([
      ['queued', 'queued'],
      ['running', 'running'],
      ['succeeded', 'success'],
      ['failed', 'failed'],
      ['canceled', 'failed'],
      ['dead_letter', 'failed'],
    ]);
  });
});

/** Anything that a program may hold in its hands: also what JSON drops or says in its own way. */
const payload = fc.object({
  key: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('10', '9', 'é', '\u{1f600}', '\uffff', '__proto__'),
  ),
  maxDepth: 5,
  maxKeys: 8,
  values: [
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.date(),
    fc.constant(() => 1),
    fc.constant(Symbol('s')),
  ],
});

/** The same value with the keys of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const turned = Object.entries(value).reverse();
  return Object.fromEntries(turned.map(([key, member]) => [key, shuffled(member)]));
}

describe('the dedupe key', () => {
  test.each([
    [['sync', null, { b: 1, a: 2 }], 'sync::global::{"a":2,"b":1}'],
    [
      ['sync', 'org-1', { b: { d: [{ z: 1, y: 2 }], c: null } }],
      'sync::org-1::{"b":{"c":null,"d":[{"y":2,"z":1}]}}',
    ],
    [['sync', undefined, undefined], 'sync::global::{}'],
    [['sync', null, {}], 'sync::global::{}'],
    [['sync', null, { 10: 1, 9: 2 }], 'sync::global::{"10":1,"9":2}'],
    [
      ['sync', null, { at: new Date(0), no: undefined, list: [undefined, Number.NaN] }],
      'sync::global::{"at":"1970-01-01T00:00:00.000Z","list":[null,null]}',
    ],
  ] as const)('of %j is %s', ([type, orgId, given], expected) => {
    expect(makeJobDedupeKey(type, orgId, given)).toBe(expected);
  });

  test('is the same in whatever order the keys were put, at any depth', () => {
    fc.assert(
      fc.property(payload, (given) => {
        expect(makeJobDedupeKey('t', null, shuffled(given))).toBe(makeJobDedupeKey('t', null, given));
      }),
    );
  });

  test('says no more and no less than JSON does of the payload', () => {
    fc.assert(
      fc.property(payload, (given) => {
        const json = JSON.stringify(given);
        const key = makeJobDedupeKey('t', 'o', given);
        expect(makeJobDedupeKey('t', 'o', JSON.parse(json))).toBe(key);
        expect(JSON.parse(key.slice('t::o::'.length))).toEqual(JSON.parse(json));
      }),
    );
  });

  test('differs wherever the payloads differ', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (one, two) => {
        const [a, b] = [JSON.parse(one), JSON.parse(two)];
        const same = makeJobDedupeKey('t', null, a) === makeJobDedupeKey('t', null, b);
        let isEqual = true;
        try {
          expect(a).toStrictEqual(b);
        } catch {
          isEqual = false;
        }
        // JSON has one zero.
        if (isEqual) expect(same).toBe(true);
        if (same) expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)));
      }),
    );
  });

  test('is sorted as deep as JSON itself goes', () => {
    let deep: unknown = { b: 1, a: 2 };
    for (let level = 0; level < 2_000; level++) deep = [deep];
    expect(makeJobDedupeKey('t', null, deep)).toContain('{"a":2,"b":1}');
  });

  test('is kept whole while an index can take it, and as its hash beyond', () => {
    const [short, long] = [{ text: 'x' }, { text: 'x'.repeat(5_000) }];
    expect(storedDedupeKey('t', null, short)).toBe(makeJobDedupeKey('t', null, short));
    expect(storedDedupeKey('t', null, long)).toMatch(/^t::global::sha256:[0-9a-f]{64}$/);
    expect(storedDedupeKey('t', null, long)).not.toBe(
      storedDedupeKey('t', null, { text: 'x'.repeat(5_001) }),
    );
  });

  test('refuses what JSON cannot say', () => {
    expect(() => makeJobDedupeKey('t', null, { n: 1n })).toThrow(TypeError);
  });
});
