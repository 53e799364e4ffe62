import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundText, cleanJson } from '../../src/core/clean-text.ts';

describe('cleanJson', () => {
  test('gives JSON without NUL or lone surrogates, and the same value where there were none', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = cleanJson(value);
        expect(text).not.toMatch(/\\u0000/);
        expect(text.isWellFormed()).toBe(true);
        const json = JSON.stringify(value);
        if (!/\\u0000|\\ud[89a-f]/i.test(json)) expect(text).toBe(json);
      }),
    );
  });

  test('writes undefined as null', () => {
    expect(cleanJson(undefined)).toBe('null');
  });
});

describe('boundText', () => {
  test('never exceeds the bound, keeps head and tail, and leaves short texts alone', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), fc.integer({ min: 200, max: 2000 }), (text, max) => {
        const bounded = boundText(text, max);
        expect(bounded.length).toBeLessThanOrEqual(Math.max(max, 200));
        if (text.length <= max) expect(bounded).toBe(text);
      }),
    );
  });
});
