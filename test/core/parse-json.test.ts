import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/core/parse-json.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\\', '"', '\n', 'n', 'u', '0', ':', '{', ',', '\ud800', 'é'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 6,
});
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null, 0, -0, 1e300),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', '7', 'h')), tie('any'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).any;

/** A value as a JSON text, with blanks and escapes that nobody needs where `chosen` says so. */
function written(given: unknown, chosen: () => boolean): string {
  const blank = (): string => (chosen() ? ' \n\t\r' : '');
  const ofText = (one: string): string =>
    `"${[...Array(one.length).keys()]
      .map((at) =>
        chosen()
          ? `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`
          : JSON.stringify(one.charAt(at)).slice(1, -1),
      )
      .join('')}"`;
  const write = (one: unknown): string => {
    if (typeof one === 'string') return ofText(one);
    if (Object.is(one, -0)) return '-0';
    if (Array.isArray(one)) return `[${one.map((item) => blank() + write(item) + blank()).join(',')}]`;
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const members = Object.entries(one).map(
      ([key, item]) => `${blank()}${ofText(key)}${blank()}:${blank()}${write(item)}${blank()}`,
    );
    return `{${members.join(',')}}`;
  };
  return `${blank()}${write(given)}${blank()}`;
}

/** What distinguishes JSON values: their keys in their order, and -0. */
const exact = (one: unknown): unknown => {
  if (Array.isArray(one)) return one.map(exact);
  if (typeof one === 'object' && one !== null)
    return Object.entries(one).map(([key, item]) => [key, exact(item)]);
  return Object.is(one, -0) ? '-0' : one;
};

describe('a JSON text', () => {
  it('is read as the value that it was written from, whatever its keys and the texts before it', () => {
    fc.assert(
      fc.property(value, fc.infiniteStream(fc.nat(5)), (given, chances) => {
        const json = written(given, () => chances.next().value === 0);
        expect(exact(parseJson(json))).toEqual(exact(given));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['{"read before":[],"\\\\":0}', '{"read before":1,"\\n":2}', ['read before', '\n']],
    ['{"once":[],"\\\\":0}', '[{}, {"once":1,"\\u0041" : 2}]', ['once', 'A']],
    ['{"twice":0,"a\\\\":0}', '{"twice":"é","a\\"":2}', ['twice', 'a"']],
    ['{"long":0,"\\\\nx":0}', '{"long":1,"\\nab":2}', ['long', '\nab']],
  ])('with an escaped key keeps it after %s was read: %s', (before, json, keys) => {
    parseJson(before);
    const read = parseJson(json);
    expect(Object.keys((Array.isArray(read) ? read[1] : read) as object)).toEqual(keys);
  });

  it('with a key more than once has its last value, as JSON.parse reads it', () => {
    expect(exact(parseJson('{"\\u0061":1,"b":2,"a":3}'))).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
  });

  it('with a key __proto__ has it as one of its own, and no other prototype', () => {
    const read = parseJson('{"\\u005f_proto__":{"x":1}}') as object;
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('is read however deep it goes', () => {
    const depth = 100_000;
    let read = parseJson(`${'{"\\n":['.repeat(depth)}${']}'.repeat(depth)}`);
    for (let level = 0; level < depth; level++) read = (read as Record<string, unknown[]>)['\n']?.[0];
    expect(read).toBeUndefined();
  });

  it.each(['', '{"\\n":1', '{"\\n":1,}', '{"\\x":1}', '{"\n":1}', '{"\\n" 1}', '["\\n":1]'])(
    'that is none, %j, is refused as JSON.parse refuses it',
    (json) => expect(() => parseJson(json)).toThrow(SyntaxError),
  );
});
