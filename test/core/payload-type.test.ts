import { Type as TypeBox } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Type } from '../../src/core/payload-type.ts';

/** Everything of a schema, what is hidden from JSON included. */
function wholeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(Object.getOwnPropertyDescriptors(value)).map(([name, descriptor]) => [
    name,
    { ...descriptor, value: wholeOf(descriptor.value) },
  ]);
}

/** One schema of every kind and with every modifier that our own definitions have. */
function sampleOf(type: typeof Type) {
  const languages = type.Optional(
    type.Array(type.String({ pattern: '^[a-z]+$' }), { minItems: 1, uniqueItems: true }),
  );
  return type.Object(
    {
      id: type.String({ format: 'uuid' }),
      ratio: type.Number({ minimum: 0, maximum: 1, default: 0.5 }),
      count: type.Optional(type.Integer({ minimum: 1, description: 'How many.' })),
      inner: type.Object({ any: type.Optional(type.String()) }),
      languages,
    },
    { additionalProperties: false, description: 'All of it.' },
  );
}

describe('Type of our own definitions', () => {
  test('makes what TypeBox makes, to the letter of its JSON', () => {
    expect(JSON.stringify(sampleOf(Type))).toBe(JSON.stringify(sampleOf(TypeBox)));
    expect(wholeOf(sampleOf(Type))).toEqual(wholeOf(sampleOf(TypeBox)));
    expect(JSON.stringify(Type.Object({}))).toBe(JSON.stringify(TypeBox.Object({})));
  });

  test('leaves a schema that becomes optional as it was', () => {
    const text = Type.String();
    expect(JSON.stringify(Type.Object({ text: Type.Optional(text) }))).not.toContain('required');
    expect(Type.Object({ text }).required).toEqual(['text']);
  });

  test('goes into a schema of TypeBox', () => {
    const outer = TypeBox.Object({ one: Type.Integer(), two: Type.Optional(Type.Integer()) });
    expect(outer.required).toEqual(['one']);
    expect(TypeBox.IsObject(Type.Object({}))).toBe(true);
  });
});
