import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { DomainError, toError } from '../core/errors.ts';
import { checkStorableJson } from '../core/storable-json.ts';
import { addBoundedFormats, boundedRegExp } from '../payloads/bounded-checks.ts';

const MAX_SCHEMA_CHARS = 64 * 1024;
const MAX_DEPTH = 64;
const ALLOWED = 'a JSON Schema 2020-12 that describes an object, without references to other documents';

/**
 * Checks a payload's schema before it is stored: what cannot be compiled would refuse every job.
 * @throws DomainError `InvalidArgument` with the place of the fault as its field
 *   (`payloadSchema.properties.size.type`) and the reason
 */
export function checkPayloadSchema(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw refused('payloadSchema', `is ${Array.isArray(schema) ? 'a list' : JSON.stringify(schema)}`);
  const json = JSON.stringify(schema);
  if (json.length > MAX_SCHEMA_CHARS)
    throw refused('payloadSchema', `has ${json.length} characters`, `at most ${MAX_SCHEMA_CHARS}`);
  const deep = tooDeep(schema, 'payloadSchema', 0);
  if (deep !== null) throw refused(deep, 'lies too deep', `at most ${MAX_DEPTH} levels`);
  checkStorableJson('payloadSchema', schema);
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    code: { regExp: boundedRegExp },
    logger: false,
  });
  addBoundedFormats(ajv);
  if (ajv.validateSchema(schema) !== true)
    throw fromSchemaError(schema, ajv.errors?.at(-1) ?? ajv.errors?.[0]);
  const pattern = badPattern(schema, 'payloadSchema');
  if (pattern !== null) throw refused(pattern.place, pattern.reason, 'a regular expression of JavaScript');
  const reference = badReference(schema, 'payloadSchema');
  if (reference !== null)
    throw refused(reference.place, reference.reason, 'a reference within the schema: #/$defs/name');
  try {
    ajv.compile(schema);
  } catch (thrown) {
    throw refused('payloadSchema', `cannot be compiled: ${toError(thrown).message.slice(0, 300)}`);
  }
}

function fromSchemaError(schema: object, error: ErrorObject | undefined): DomainError {
  if (error === undefined) return refused('payloadSchema', 'is no JSON Schema');
  const place = `payloadSchema${error.instancePath.replaceAll('/', '.')}`;
  const values = (error.params as { readonly allowedValues?: readonly unknown[] }).allowedValues;
  const shown = shownAt(schema, error.instancePath);
  return refused(
    place,
    `is ${shown}: it ${error.message ?? 'is not allowed'}`,
    values?.map(String).join(', '),
  );
}

function shownAt(schema: object, pointer: string): string {
  let value: unknown = schema;
  for (const part of pointer.split('/').slice(1))
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[
      part.replaceAll('~1', '/').replaceAll('~0', '~')
    ];
  return (JSON.stringify(value) ?? 'missing').slice(0, 80);
}

interface Fault {
  readonly place: string;
  readonly reason: string;
}

function badPattern(value: unknown, place: string): Fault | null {
  return firstFault(value, place, (key, inner) => {
    if (key !== 'pattern' || typeof inner !== 'string') return null;
    try {
      new RegExp(inner, 'u');
      return null;
    } catch (thrown) {
      return toError(thrown).message;
    }
  });
}

function badReference(value: unknown, place: string): Fault | null {
  return firstFault(value, place, (key, inner) =>
    (key === '$ref' || key === '$dynamicRef') && typeof inner === 'string' && !inner.startsWith('#')
      ? `refers to ${JSON.stringify(inner.slice(0, 80))}, which is another document`
      : null,
  );
}

/** The first field of which `faultOf` says something, depth first; names of properties are no keywords. */
function firstFault(
  value: unknown,
  place: string,
  faultOf: (key: string, inner: unknown) => string | null,
  areNames = false,
): Fault | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = `${place}.${key}`;
    const reason = areNames || Array.isArray(value) ? null : faultOf(key, inner);
    if (reason !== null) return { place: at, reason };
    if (!areNames && (key === 'enum' || key === 'const' || key === 'default' || key === 'examples')) continue;
    const isMap =
      !areNames &&
      ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'].includes(key);
    const fault = firstFault(inner, at, faultOf, isMap);
    if (fault !== null) return fault;
  }
  return null;
}

function tooDeep(value: unknown, place: string, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return place.slice(0, 200);
  for (const [key, inner] of Object.entries(value)) {
    const deep = tooDeep(inner, `${place}.${key}`, depth + 1);
    if (deep !== null) return deep;
  }
  return null;
}

function refused(field: string, reason: string, allowed: string = ALLOWED): DomainError {
  return new DomainError('InvalidArgument', `${field} ${reason}; allowed: ${allowed}.`, { field, allowed });
}
