import { expect, test } from 'vitest';
import { PayloadValidator } from '../../src/jobs/payload-validator.ts';
import { leastLoopDelayMs } from '../support/loop-delay.ts';

/**
 * What formats and patterns take long for is what nearly fits: each of these costs seconds where its length
 * is not bounded.
 */
const SLOW_TEXTS = [
  `http://${'::'.repeat(50_000)}\u0001`,
  `${'a'.repeat(100_000)}!`,
  `${'0-'.repeat(50_000)}x`,
  `${'a.'.repeat(50_000)}@`,
  `${':'.repeat(100_000)}`,
];
const FORMATS = [
  'url',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'date',
  'time',
  'date-time',
  'duration',
];
/** Backtracks by the square of the text, and by its power. */
const PATTERNS = ['^\\s*a*a*$', '(:|::)*b$', '^(a+)*\\.$'];

const check = (rule: object, text: string) => {
  const arg_schema = { type: 'object', properties: { text: { type: 'string', ...rule } } };
  const owner = { id: JSON.stringify(rule), key: 'bounds', arg_schema, updated_at: new Date(0) };
  return new PayloadValidator().checkText(owner, { text });
};

const refusal = (rule: object, text: string) => {
  try {
    check(rule, text);
  } catch (error) {
    return error as { readonly details: { readonly field: string; readonly allowed: string } };
  }
  return null;
};

test.each(FORMATS)(
  'the format %s is run on no long text, whatever maxLength says, and names its place',
  async (format) => {
    const delayMs = await leastLoopDelayMs(100, async () => {
      for (const text of SLOW_TEXTS)
        expect(refusal({ format, maxLength: 200 }, text), text.slice(0, 20)).toMatchObject({
          code: 'InvalidPayload',
          details: { field: 'payload.text', allowed: expect.stringMatching(/characters/) },
        });
    });
    expect(delayMs).toBeLessThan(1_000);
  },
);

test.each(PATTERNS)('the pattern %s is run on no long text', async (pattern) => {
  const delayMs = await leastLoopDelayMs(100, async () => {
    for (const text of SLOW_TEXTS)
      expect(refusal({ pattern }, text)).toMatchObject({ code: 'InvalidPayload' });
  });
  expect(delayMs).toBeLessThan(1_000);
});

test('texts that are as long as allowed are looked at, and those without a rule may be longer', () => {
  expect(refusal({ format: 'url' }, `https://example.com/${'a'.repeat(2_028)}`)).toBeNull();
  expect(refusal({ format: 'url' }, `https://example.com/${'a'.repeat(2_029)}`)).not.toBeNull();
  expect(refusal({ pattern: '^a*$' }, 'a'.repeat(10_000))).toBeNull();
  expect(refusal({ pattern: '^a*$' }, 'a'.repeat(10_001))).not.toBeNull();
  expect(refusal({}, 'a'.repeat(500_000))).toBeNull();
});
