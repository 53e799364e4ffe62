import type { Static, TSchema, TUnsafe } from 'typebox';
import { Type as PlainType } from '../core/payload-type.ts';

/** Options of a schema: `description`, `examples`, bounds. */
type Options = Readonly<Record<string, unknown>>;

const plain = <T>(schema: Options): TUnsafe<T> => schema as unknown as TUnsafe<T>;

/** JSON Schema 2020-12 as the routes declare it, with the types of what it takes. */
export const Type = {
  ...PlainType,
  Boolean: (options: Options = {}) => plain<boolean>({ type: 'boolean', ...options }),
  /** A UUID in its canonical form. */
  Uuid: (options: Options = {}) => plain<string>({ type: 'string', format: 'uuid', ...options }),
  /** A time as RFC 3339 text; in answers always UTC. */
  Time: (options: Options = {}) => plain<string>({ type: 'string', format: 'date-time', ...options }),
  /** Any JSON value. */
  Json: (options: Options = {}) => plain<unknown>({ ...options }),
  /** A JSON object whose properties the API does not know. */
  Map: (options: Options = {}) =>
    plain<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options }),
  /** One of the words. */
  Words: <Word extends string>(words: readonly Word[], options: Options = {}) =>
    plain<Word>({ type: 'string', enum: [...words], ...options }),
  /** A text, or null. */
  NullableString: (options: Options = {}) => plain<string | null>({ type: ['string', 'null'], ...options }),
  NullableInteger: (options: Options = {}) => plain<number | null>({ type: ['integer', 'null'], ...options }),
  NullableNumber: (options: Options = {}) => plain<number | null>({ type: ['number', 'null'], ...options }),
  NullableTime: (options: Options = {}) =>
    plain<string | null>({ type: ['string', 'null'], format: 'date-time', ...options }),
  NullableUuid: (options: Options = {}) =>
    plain<string | null>({ type: ['string', 'null'], format: 'uuid', ...options }),
};

/** A value of a declared object that may be null. */
export function nullable<S extends TSchema>(schema: S, options: Options = {}) {
  return plain<Static<S> | null>({ anyOf: [schema, { type: 'null' }], ...options });
}
