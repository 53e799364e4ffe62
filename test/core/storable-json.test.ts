import { expect, test } from 'vitest';
import { checkStorableJson } from '../../src/core/storable-json.ts';

test.each<readonly [value: unknown, field: string, problem: string]>([
  ['a\0b', 'data', 'contains a NUL character'],
  [{ notes: ['good', 'a\ud800'] }, 'data.notes[1]', 'contains half of a surrogate pair'],
  [{ deep: { 'a\0': 1 } }, 'data.deep', 'has a key that contains a NUL character'],
  [{ list: [[1, Number.NaN]] }, 'data.list[0][1]', 'is NaN'],
  [[Number.NEGATIVE_INFINITY], 'data[0]', 'is -Infinity'],
])('%j is refused by the place of what Postgres does not store: %s', (value, field, problem) => {
  for (const code of ['InvalidArgument', 'InvalidPayload'] as const)
    expect(() => checkStorableJson('data', value, code)).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringContaining(`${field} ${problem}; allowed: `),
        details: expect.objectContaining({ field }),
      }),
    );
});

test('what JSON holds is taken: emoji, numbers, nulls, dates and what is omitted', () => {
  const value = { text: '👍 ü', list: [1, 1e300, null, true], at: new Date(0), gone: undefined };
  expect(() => checkStorableJson('data', value)).not.toThrow();
  expect(() => checkStorableJson('data', undefined)).not.toThrow();
});
