import type { TSchema, Type as TypeBox } from 'typebox';

/** What TypeBox keeps beside the JSON, where `Type.Object` of a user's own finds it too. */
function hidden<S extends object>(schema: S, marks: Readonly<Record<string, unknown>>): S {
  for (const [name, value] of Object.entries(marks))
    Object.defineProperty(schema, name, { value, configurable: true, writable: true });
  return schema;
}

const requiredOf = (properties: Readonly<Record<string, TSchema>>): readonly string[] =>
  Object.keys(properties).filter((name) => !('~optional' in (properties[name] as TSchema)));

/**
 * As much of TypeBox's `Type` as our own definitions need, with its types and the same JSON. TypeBox itself
 * would be 373 modules and 20 MB in every process that knows these definitions, for the sake of objects as
 * plain as this.
 */
export const Type = {
  Object: (properties: Readonly<Record<string, TSchema>>, options?: object) => {
    const required = requiredOf(properties);
    return hidden(
      { type: 'object', ...(required.length > 0 && { required }), properties, ...options },
      { '~kind': 'Object' },
    );
  },
  Array: (items: TSchema, options?: object) =>
    hidden({ type: 'array', items, ...options }, { '~kind': 'Array' }),
  String: (options?: object) => hidden({ type: 'string', ...options }, { '~kind': 'String' }),
  Number: (options?: object) => hidden({ type: 'number', ...options }, { '~kind': 'Number' }),
  Integer: (options?: object) => hidden({ type: 'integer', ...options }, { '~kind': 'Integer' }),
  Boolean: (options?: object) => hidden({ type: 'boolean', ...options }, { '~kind': 'Boolean' }),
  Optional: (schema: TSchema) =>
    hidden(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)), { '~optional': true }),
} as unknown as Pick<
  typeof TypeBox,
  'Object' | 'Array' | 'String' | 'Number' | 'Integer' | 'Boolean' | 'Optional'
>;
