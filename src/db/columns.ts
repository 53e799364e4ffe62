import type { Prisma } from './prisma.ts';

/** `tenantId` as a column has it: `tenant_id`. */
type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Rest>}`
  : Name;

/** A value as node-postgres reads it: `bigint` as text, `bytea` as a Buffer. */
type Read<Value> = bigint extends Value
  ? string | Exclude<Value, bigint>
  : Prisma.JsonValue extends Value
    ? unknown
    : Uint8Array<ArrayBuffer> extends Value
      ? Buffer | Exclude<Value, Uint8Array>
      : Value extends readonly (infer Item)[]
        ? readonly Item[]
        : Value;

type ColumnsOf<Model> = { readonly [Field in keyof Model & string as SnakeCase<Field>]: Read<Model[Field]> };

/**
 * Columns of a model's table, under their SQL names, for the rows of raw statements: a column that is renamed
 * or retyped in `schema.prisma` does not compile where a statement's row names it.
 */
export type Columns<Model, Names extends keyof ColumnsOf<Model>> = Pick<ColumnsOf<Model>, Names>;

/** The same where a column is null although the model knows no null of it (a list), or by an outer join. */
export type NullableColumns<Model, Names extends keyof ColumnsOf<Model>> = {
  readonly [Name in Names]: ColumnsOf<Model>[Name] | null;
};

/** Names of the columns of a model's table. */
export type ColumnName<Model> = keyof ColumnsOf<Model>;
