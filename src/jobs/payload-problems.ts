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
  return { field: fieldOf(error), message: error.message ?? 'is not allowed', allowed: allowedBy(error) };
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
      return `a ${params['format']}`;
    case 'multipleOf':
      return `a multiple of ${params['multipleOf']}`;
    default:
      return keyword in COMPARISONS
        ? `${COMPARISONS[keyword]} ${params['limit']}`
        : `what the schema's ${keyword} says: ${JSON.stringify(schema)?.slice(0, 200)}`;
  }
}
