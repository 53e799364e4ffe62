import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { timeOfUuid, uuidAtTime } from '../../src/core/uuid-time.ts';
import { PayloadChecks } from '../../src/jobs/payload-checks.ts';
import { PayloadValidator } from '../../src/jobs/payload-validator.ts';
import { newJob } from '../../src/queue/enqueue.ts';

const definition = (schema: Record<string, unknown>, id = 'a', updatedAt = new Date(0)) => ({
  id,
  key: 'thing',
  arg_schema: schema,
  updated_at: updatedAt,
});

const checkText = (payload: unknown) => new PayloadValidator(1_000_000).checkText(definition({}), payload);

describe('a payload', () => {
  it('is taken when JSON gives it back as it was, and refused with a path otherwise', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 10 }),
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { maxLength: 3 }),
        (value, keys) => {
          const nested = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
          const text = JSON.stringify(nested);
          if (/\\u0000|\\ud[89a-f]|"__proto__":/i.test(text))
            expect(() => checkText(nested)).toThrow(/allowed/);
          else expect(() => checkText(nested)).not.toThrow();
        },
      ),
    );
    expect(() => checkText({ a: [1, { b: Number.POSITIVE_INFINITY }] })).toThrow(
      /payload\.a\[1\]\.b is Infinity/,
    );
  });

  it('has no key __proto__ at any depth', () => {
    for (const text of ['{"__proto__": 1}', '{"a": [{"b": {"__proto__": {}}}]}']) {
      expect(() => checkText(JSON.parse(text))).toThrow(
        expect.objectContaining({
          code: 'InvalidPayload',
          details: expect.objectContaining({ field: expect.stringMatching(/^payload.*\.__proto__$/) }),
        }),
      );
    }
    expect(() => checkText({ proto: 1, constructor: 2, toString: 3 })).not.toThrow();
  });

  it('is checked once and written as JSON once between its request and its row, by the API and by programs', async () => {
    const checks = new PayloadChecks({ maxPayloadBytes: 1_000_000 });
    const library = new PayloadValidator();
    const owner = definition({ type: 'object', properties: { text: { pattern: '^counted' } } });
    const { stringify } = JSON;
    const written = vi.spyOn(JSON, 'stringify').mockImplementation(stringify);
    const { test } = RegExp.prototype;
    let checked = 0;
    const tests = vi.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
      if (this.source === '^counted') checked += 1;
      return test.call(this, text);
    });
    try {
      for (const check of [
        () => checks.check('a', owner, { text: 'counted' }),
        () => library.checkText(owner, { text: 'counted' }),
      ]) {
        checked = 0;
        written.mockClear();
        const input = { definitionKey: 'thing', payload: await check(), createdBy: 'test' };
        const { payloadJson } = newJob('a', input, null);
        const texts = written.mock.results.filter(({ value }) => String(value).includes('"text":"counted"'));
        expect([payloadJson, texts.length, checked]).toEqual(['{"text":"counted"}', 1, 1]);
      }
    } finally {
      tests.mockRestore();
      written.mockRestore();
      await checks.close();
    }
  });

  it('is stored as what toJSON makes of it, if that can be stored', () => {
    class Held {
      readonly #value: unknown;
      constructor(value: unknown) {
        this.#value = value;
      }
      toJSON(): unknown {
        return this.#value;
      }
    }
    const stored = (value: unknown) =>
      new PayloadValidator().checkText(definition({}), { a: new Held(value) }).json;
    expect(stored('x')).toBe('{"a":"x"}');
    expect(() => stored('\u0000')).toThrow(/payload\.a/);
    expect(() => stored(JSON.parse('{"__proto__":1}'))).toThrow(/payload\.a/);
    expect(() => stored(JSON.parse(`${'['.repeat(150)}${']'.repeat(150)}`))).toThrow(/nested too deeply/);
    expect(new PayloadValidator().checkText(definition({}), null).json).toBe('{}');
  });

  it('is left as it is; what is stored has the defaults', () => {
    const given = {};
    const schema = { type: 'object', properties: { n: { type: 'integer', default: 3 } } };
    const filled = new PayloadValidator().checkText(definition(schema), given);
    expect([given, JSON.parse(filled.json)]).toEqual([{}, { n: 3 }]);
    expect(filled.json).toBe('{"n":3}');
  });

  it('names paths through lists and odd keys', () => {
    const schema = {
      type: 'object',
      properties: {
        items: { type: 'array', items: { type: 'object', properties: { 'a b/c': { enum: [1, 2] } } } },
      },
    };
    const check = () => new PayloadValidator().checkText(definition(schema), { items: [{}, { 'a b/c': 3 }] });
    expect(check).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ field: 'payload.items[1]["a b/c"]', allowed: 'one of [1,2]' }),
      }),
    );
  });
});

describe('what is wrong with a payload', () => {
  const said = (schema: Record<string, unknown>, payload: unknown) => {
    try {
      new PayloadValidator().checkText(definition({ type: 'object', ...schema }), payload);
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };
  const format = (name: string) => ({ properties: { to: { type: 'string', format: name } } });

  it.each([
    [
      'a missing property',
      { required: ['message'] },
      {},
      'Payload of thing: payload.message is missing; allowed: a value: the property is required.',
    ],
    [
      'a property of no schema',
      { properties: { a: {} }, additionalProperties: false },
      { b: 1 },
      'Payload of thing: payload.b is not a property of the schema; allowed: only the properties a.',
    ],
    [
      'a type',
      { properties: { n: { type: 'integer' } } },
      { n: 'x' },
      'Payload of thing: payload.n must be integer; allowed: integer.',
    ],
    [
      'an email address',
      format('email'),
      { to: 'x' },
      'Payload of thing: payload.to must match format "email"; allowed: an email address.',
    ],
    [
      'a URI',
      format('uri'),
      { to: 'x' },
      'Payload of thing: payload.to must match format "uri"; allowed: a URI.',
    ],
    [
      'a format that has no words of its own',
      format('iso-time'),
      { to: 'x' },
      'Payload of thing: payload.to must match format "iso-time"; allowed: text of the format iso-time.',
    ],
  ])('is a whole sentence for %s', (_what, schema, payload, message) => {
    expect(said(schema, payload)).toBe(message);
  });
});

describe('creation times in ids', () => {
  it('order and bound as the times do', () => {
    const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, times, (one, two) => {
        expect(timeOfUuid(uuidAtTime(one))).toEqual(one);
        expect(uuidAtTime(one) < uuidAtTime(two)).toBe(one < two);
      }),
    );
    expect(timeOfUuid('f47ac10b-58cc-4372-a567-0e02b2c3d479')).toBeNull();
  });
});
