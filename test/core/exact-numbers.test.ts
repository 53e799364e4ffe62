import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findInexactNumber, isExact } from '../../src/core/exact-numbers.ts';

describe('a decimal number', () => {
  it.each([
    '0',
    '-0',
    '9007199254740991',
    '-9007199254740991',
    '9007199254740992',
    '1e22',
    '1E+22',
    '123456789012345680000',
    '0.1',
    '3.14159265358979323846',
    '1e-400',
    '9007199254740992.000',
    '1.7976931348623157e308',
  ])('%s is taken: a double gives it back, or only the end of its fraction is rounded', (text) =>
    expect(isExact(text)).toBe(true),
  );

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '1e400',
    '-1e400',
    '9007199254740992.5',
    '12345678901234567.0e0',
    `1${'0'.repeat(400)}`,
  ])('%s is not: it would come back as another one, or as null', (text) => expect(isExact(text)).toBe(false));

  it('that is a whole one is taken when, and only when, JSON returns its digits', () => {
    // Below 10^21, where JSON.stringify writes digits and no exponent.
    const limit = 10n ** 20n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (value) => {
        const text = String(value);
        expect(isExact(text)).toBe(JSON.stringify(JSON.parse(text)) === text);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('in a JSON text', () => {
  it.each([
    ['{"a":{"b":[1,{"c d":9007199254740993}]}}', 'a.b[1].c d', '9007199254740993'],
    ['[[],[1,2,1e400]]', '[1][2]', '1e400'],
    ['{"x":"9007199254740993","y":{"z":1},"n":-12345678901234567890}', 'n', '-12345678901234567890'],
    ['{"a\\"{[":[{}, {"k": 1}, 1E999 ]}', 'a"{[[2]', '1E999'],
    ['9007199254740993', '', '9007199254740993'],
  ])('%s the first one is named with its path', (json, path, text) => {
    expect(findInexactNumber(json)).toEqual({ path, text });
  });

  it.each([
    '{"a":"9007199254740993e400","b":[1e5,0.5,-1.25E-3]}',
    '"1e400"',
    '[]',
    '{"1e400":1,"9007199254740993":2}',
  ])('%s there is none', (json) => expect(findInexactNumber(json)).toBeNull());

  it('whatever it is, a value that JSON.stringify wrote of finite numbers has none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findInexactNumber(JSON.stringify(value))).toBeNull();
      }),
    );
  });
});
