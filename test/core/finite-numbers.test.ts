import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findNonFinite } from '../../src/core/finite-numbers.ts';

const found = (value: unknown) => findNonFinite(value, JSON.stringify(value) ?? 'null');

test('what JSON writes as null though it is a number is found, with its path', () => {
  const shared = { n: 1 };
  expect(found(Number.NaN)).toEqual({ path: '', value: Number.NaN });
  expect(found({ a: [1, { b: Number.NEGATIVE_INFINITY }] })).toEqual({
    path: 'a[1].b',
    value: Number.NEGATIVE_INFINITY,
  });
  expect(found([shared, null, shared, { deep: { toJSON: () => [Number.NaN] } }])).toEqual({
    path: '[3].deep[0]',
    value: Number.NaN,
  });
  expect(found({ boxed: Object(Number.NaN) })).toEqual({ path: 'boxed', value: Number.NaN });
  expect(found({ '': { '': Number.POSITIVE_INFINITY } })?.value).toBe(Number.POSITIVE_INFINITY);
});

test('what JSON holds is let through, nulls, omitted values and dates that are none included', () => {
  for (const value of [undefined, null, { a: undefined }, [undefined], new Date(Number.NaN), { f() {} }])
    expect(found(value)).toBeNull();
  fc.assert(fc.property(fc.jsonValue(), (value) => found(value) === null));
});
