import type { TSchema } from 'typebox';

type Json = Record<string, unknown>;

/** Schemas of the document by their titles: each stands there once, and is referred to. */
export class Components {
  readonly #schemas = new Map<string, { readonly source: string; readonly shown: unknown }>();

  get schemas(): Readonly<Record<string, unknown>> {
    const entries = [...this.#schemas].map(([name, { shown }]) => [name, shown] as const);
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /**
   * A schema as the document has it where it is used. @throws Error for two different ones of the same title
   */
  refTo(schema: TSchema): unknown {
    const { title } = schema as Json;
    if (typeof title !== 'string') return this.inlined(schema);
    const source = JSON.stringify(schema);
    const known = this.#schemas.get(title);
    if (known !== undefined && known.source !== source)
      throw new Error(`There are two schemas of the title ${title}`);
    if (known === undefined) {
      // Its name is taken before its insides are looked at.
      this.#schemas.set(title, { source, shown: null });
      this.#schemas.set(title, { source, shown: this.inlined(schema, true) });
    }
    return { $ref: `#/components/schemas/${title}` };
  }

  /** The schema itself, with references to the titled ones inside it. */
  inlined(schema: unknown, isItself = false): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.inlined(each));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { title, ...rest } = schema as Json;
    if (typeof title === 'string' && !isItself) return this.refTo(schema as TSchema);
    return Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [
        key,
        key === 'properties'
          ? this.#properties(value as Json)
          : SUBSCHEMAS.has(key)
            ? this.inlined(value)
            : value,
      ]),
    );
  }

  /** A property may be called `title` itself. */
  #properties(properties: Json): Json {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, this.inlined(property)]),
    );
  }
}

const SUBSCHEMAS: ReadonlySet<string> = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']);
