import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount, scaleAmount } from '../../../src/text/entities/amounts.ts';
import { findEntities } from '../../../src/text/entities/find-entities.ts';
import { CASES } from './cases.ts';
import { HOSTILE } from './hostile.ts';
import { show } from './show.ts';

describe.each(Object.entries(CASES))('of the kind %s', (_kind, cases) => {
  test.each(cases.map(([text, ...found]) => ({ text, found })))(
    'the right entities are found in: $text',
    ({ text, found }) => {
      expect(findEntities(text).map(show)).toEqual(found.filter((one) => one !== ''));
    },
  );
});

/** Texts of the parts that patterns are made of, which random letters nearly never hit. */
const PARTS = [
  ...[
    '@',
    '#',
    '.',
    ',',
    '-',
    '/',
    ':',
    '+',
    '(',
    ')',
    ' ',
    '\u00A0',
    '%',
    '$',
    '€',
    ' EUR',
    'k',
    'M',
    '_',
    '&',
  ],
  ...[
    'a',
    'b',
    'é',
    '東',
    'ह',
    '\u0301',
    '0',
    '1',
    '234',
    '99',
    'example',
    '.com',
    'https://',
    'www.',
    'Tel. ',
  ],
  ...['👍', '🏽', '\u200D', '\uFE0F', '\u20E3', '🇩', '🇪', '\uD83D', '\u0000', '\uFFFC', '"', '<', '。'],
];
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...PARTS), { maxLength: 25 }).map((parts) => parts.join('')),
);

test('whatever a text is, what is found stands in it, in order, without overlap, and fits its columns', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let end = 0;
      for (const entity of findEntities(text)) {
        expect(entity.start).toBeGreaterThanOrEqual(end);
        end = entity.end;
        expect(text.slice(entity.start, end)).toBe(entity.value);
        expect(entity.value).not.toBe('');
        expect(entity.normalizedValue).not.toBe('');
        expect(entity.normalizedValue).toBe(entity.normalizedValue.toLowerCase());
        expect(entity.subtype !== null).toBe(entity.type === 'number');
        expect(entity.domain !== null).toBe(entity.type === 'url');
        expect(entity.amount ?? '0').toMatch(/^\d+(\.\d*[1-9])?$/);
        expect(entity.currency ?? 'EUR').toMatch(/^[A-Z]{3}$/);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a text of 50,000 letters that patterns could lose themselves in takes no time to speak of', () => {
  for (const part of HOSTILE) {
    const text = part.repeat(Math.ceil(50_000 / part.length));
    const startedAt = process.cpuUsage();
    findEntities(`${text}x`);
    const { user, system } = process.cpuUsage(startedAt);
    // What is not linear takes minutes.
    expect((user + system) / 1e6, JSON.stringify(part)).toBeLessThan(5);
  }
});

test.each([
  ['1.299,00', true, '1299'],
  ['1,299.00', false, '1299'],
  ['1.299', true, '1299'],
  ['1.299', false, '1.299'],
  ['1,299', false, '1299'],
  ['0,299', false, '0.299'],
  ['12,5', false, '12.5'],
  ["1'299.50", false, '1299.5'],
  ['000', false, '0'],
  ['1'.repeat(31), false, null],
])('the amount of %s (a point groups: %s) is %s', (written, pointGroups, amount) => {
  expect(parseAmount(written, pointGroups)).toBe(amount);
});

test('amounts grow by powers of ten without losing a digit', () => {
  expect(scaleAmount('1.2', 3)).toBe('1200');
  expect(scaleAmount('0.0005', 3)).toBe('0.5');
  expect(scaleAmount('0', 6)).toBe('0');
  expect(scaleAmount('123456789012345678.123', 3)).toBe('123456789012345678123');
});
