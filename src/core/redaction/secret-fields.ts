import { isSecretField, SECRET_SHOWN } from './secret-name.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Deeper values hold no field that a schema or a name marks: payloads are bounded well above. */
const MAX_DEPTH = 100;
const COMBINED = ['allOf', 'anyOf', 'oneOf'] as const;
const ALSO = ['if', 'then', 'else', 'not'] as const;

/**
 * By what a field is secret: its schema says so (`writeOnly`, `format: secret`), or its name is that of a
 * secret.
 */
export type SecretBy = 'schema' | 'name';

/**
 * A copy of a payload with each secret field replaced; the payload itself where it has none.
 * @param schema of the payload
 * @param replace called with the value of each secret field, which is not looked into any further
 */
export function mapSecretFields(
  schema: unknown,
  payload: unknown,
  replace: (value: unknown, by: SecretBy) => unknown,
): unknown {
  return new Walk(schema, replace).visit(payload, asSchemas([schema]), 0);
}

/** A payload as everybody sees it. */
export function maskPayload(schema: unknown, payload: unknown): unknown {
  return mapSecretFields(schema, payload, () => SECRET_SHOWN);
}

/** Whether a schema marks any field as secret. */
export function hasSecretFields(schema: unknown): boolean {
  const json = JSON.stringify(schema) ?? '';
  return json.includes('"writeOnly":true') || json.includes('"format":"secret"');
}

class Walk {
  readonly #root: unknown;
  readonly #replace: (value: unknown, by: SecretBy) => unknown;

  constructor(root: unknown, replace: (value: unknown, by: SecretBy) => unknown) {
    this.#root = root;
    this.#replace = replace;
  }

  visit(value: unknown, given: readonly Schema[], depth: number): unknown {
    if (value === null || value === undefined) return value;
    const schemas = this.#all(given);
    if (schemas.some(isSecret)) return this.#replace(value, 'schema');
    if (typeof value !== 'object' || depth > MAX_DEPTH) return value;
    return Array.isArray(value)
      ? this.#list(value, schemas, depth)
      : this.#fields(value as Readonly<Record<string, unknown>>, schemas, depth);
  }

  #list(value: readonly unknown[], schemas: readonly Schema[], depth: number): unknown {
    let copy: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const ofItem = schemas.flatMap(({ items, prefixItems, additionalItems }) =>
        asSchemas([
          items,
          additionalItems,
          Array.isArray(items) ? items[index] : undefined,
          Array.isArray(prefixItems) ? prefixItems[index] : undefined,
        ]),
      );
      const mapped = this.visit(item, ofItem, depth + 1);
      if (mapped === item) continue;
      copy ??= [...value];
      copy[index] = mapped;
    }
    return copy ?? value;
  }

  #fields(value: Readonly<Record<string, unknown>>, schemas: readonly Schema[], depth: number): unknown {
    let copy: Record<string, unknown> | undefined;
    for (const [name, field] of Object.entries(value)) {
      const isNamed = field !== null && field !== undefined && isSecretField(name, field);
      const ofField = schemas.flatMap((schema) => fieldSchemas(schema, name));
      const bySchema = this.visit(field, ofField, depth + 1);
      const mapped = isNamed && bySchema === field ? this.#replace(field, 'name') : bySchema;
      if (mapped === field) continue;
      copy ??= { ...value };
      copy[name] = mapped;
    }
    return copy ?? value;
  }

  /** The schemas with all that they refer to and combine. */
  #all(given: readonly Schema[]): readonly Schema[] {
    const all = new Set<Schema>();
    const queue = [...given];
    for (let schema = queue.pop(); schema !== undefined; schema = queue.pop()) {
      if (all.has(schema)) continue;
      all.add(schema);
      const { $ref } = schema;
      if (typeof $ref === 'string') queue.push(...asSchemas([this.#resolve($ref)]));
      for (const keyword of COMBINED) {
        const combined = schema[keyword];
        if (Array.isArray(combined)) queue.push(...asSchemas(combined));
      }
      queue.push(...asSchemas(ALSO.map((keyword) => schema[keyword])));
    }
    return [...all];
  }

  #resolve(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    let found: unknown = this.#root;
    for (const part of reference.slice(1).split('/').slice(1)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      found = (found as Schema | undefined)?.[name];
    }
    return found;
  }
}

function isSecret({ writeOnly, format }: Schema): boolean {
  return writeOnly === true || format === 'secret';
}

function fieldSchemas(schema: Schema, name: string): readonly Schema[] {
  const properties = schema['properties'] as Schema | undefined;
  const patterns = Object.entries((schema['patternProperties'] as Schema | undefined) ?? {});
  const dependent = Object.values((schema['dependentSchemas'] as Schema | undefined) ?? {});
  return [
    ...asSchemas([
      properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined,
      schema['additionalProperties'],
      schema['unevaluatedProperties'],
      ...patterns.filter(([pattern]) => matches(pattern, name)).map(([, inner]) => inner),
    ]),
    ...asSchemas(dependent).flatMap((inner) => fieldSchemas(inner, name)),
  ];
}

/** A pattern that cannot be read marks every field: rather too much than too little. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name.slice(0, 1000));
  } catch {
    return true;
  }
}

function asSchemas(values: readonly unknown[]): readonly Schema[] {
  return values.filter(
    (value): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
}
