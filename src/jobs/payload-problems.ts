import type { ErrorObject } from 'ajv';

/** One thing wrong with a payload. */
export interface PayloadProblem {
  /** JSON path from the payload: `payload.steps`, `payload.items[3].url`. */
  readonly field: string;
  readonly message: string;
  /** What would have been taken, in words. */
  readonly allowed: string;
}

/** Ajv's error in our words. */
export function problemOf(error: ErrorObject): PayloadProblem {
  return { field: fieldOf(error), message: messageOf(error), allowed: allowedBy(error) };
}

/** What is wrong, to be read behind the field: `payload.message is missing`. */
function messageOf({ keyword, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a property of the schema';
    case 'false schema':
      return 'is not allowed';
    default:
      // Ajv's own: "must be integer", "must match format "email"".
      return message ?? 'is not allowed';
  }
}

function fieldOf(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  // For these two keywords Ajv points at the object, a person looks for the property.
  const property = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (typeof property === 'string') path.push(property);
  return `payload${path.map(step).join('')}`.slice(0, 500);
}

function step(name: string): string {
  if (/^\d+$/.test(name)) return `[${name}]`;
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
};

/** Formats in words; others are named. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  'idn-email': 'an email address',
  'date-time': 'a time as RFC 3339 text, 2026-11-27T23:14:41Z',
  'iso-date-time': 'a time as ISO 8601 text',
  date: 'a day as YYYY-MM-DD',
  time: 'a time of day with its zone, 23:14:41Z',
  duration: 'a duration as ISO 8601 text, PT15M',
  uri: 'a URI',
  'uri-reference': 'a URI or a relative reference',
  'uri-template': 'a URI template',
  url: 'a URL',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uuid: 'a UUID',
  regex: 'a regular expression',
  byte: 'base64',
  int32: 'an integer of 32 bits',
  int64: 'an integer of 64 bits',
  'json-pointer': 'a JSON pointer',
};

function allowedBy(error: ErrorObject): string {
  const { keyword, schema, parentSchema } = error;
  const params = error.params as Record<string, unknown>;
  switch (keyword) {
    case 'required':
      return 'a value: the property is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `only the properties ${Object.keys((parentSchema?.['properties'] as object | undefined) ?? {}).join(', ') || '(none)'}`;
    case 'type':
      return [params['type']].flat().join(' or ');
    case 'enum':
      return `one of ${JSON.stringify(schema)}`;
    case 'const':
      return JSON.stringify(schema);
    case 'minLength':
    case 'maxLength':
      return `${keyword === 'minLength' ? 'at least' : 'at most'} ${params['limit']} characters`;
    case 'minItems':
    case 'maxItems':
      return `${keyword === 'minItems' ? 'at least' : 'at most'} ${params['limit']} items`;
    case 'pattern':
      return `text that matches ${params['pattern']}`;
    case 'format':
      return FORMATS[params['format'] as string] ?? `text of the format ${params['format']}`;
    case 'multipleOf':
      return `a multiple of ${params['multipleOf']}`;
    default:
      return keyword in COMPARISONS
        ? `${COMPARISONS[keyword]} ${params['limit']}`
        : `what the schema's ${keyword} says: ${JSON.stringify(schema)?.slice(0, 200)}`;
  }
}
