import { fieldOf } from '../field-of.ts';

/** A test of one field of an event's data. */
export type FieldTest =
  | { readonly op: 'equals' | 'notEquals'; readonly value: Scalar }
  | { readonly op: 'in' | 'notIn'; readonly value: readonly Scalar[] }
  | { readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: number | string }
  | { readonly op: 'startsWith' | 'endsWith' | 'contains'; readonly value: string }
  | { readonly op: 'exists'; readonly value: boolean };

export type Scalar = string | number | boolean | null;

/** A condition on an event's data, read. */
export type Condition =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'field'; readonly path: readonly string[]; readonly tests: readonly FieldTest[] };

/**
 * Whether data satisfies a condition. A field that is missing satisfies `notEquals`, `notIn` and
 * `exists: false` only. Values of different types are never equal, and neither is before the other. Pure and
 * bounded: no expression is run.
 */
export function isSatisfied(condition: Condition, data: unknown): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.of.every((part) => isSatisfied(part, data));
    case 'any':
      return condition.of.some((part) => isSatisfied(part, data));
    case 'not':
      return !isSatisfied(condition.of, data);
    case 'field': {
      const value = condition.path.reduce(fieldOf, data);
      return condition.tests.every((test) => passes(test, value));
    }
  }
}

function passes(test: FieldTest, value: unknown): boolean {
  switch (test.op) {
    case 'equals':
      return value === test.value;
    case 'notEquals':
      return value !== test.value;
    case 'in':
      return test.value.some((allowed) => allowed === value);
    case 'notIn':
      return !test.value.some((refused) => refused === value);
    case 'exists':
      return (value !== undefined) === test.value;
    case 'gt':
      return comparison(value, test.value) > 0;
    case 'gte':
      return comparison(value, test.value) >= 0;
    case 'lt':
      return comparison(value, test.value) < 0;
    case 'lte':
      return comparison(value, test.value) <= 0;
    case 'startsWith':
      return typeof value === 'string' && value.startsWith(test.value);
    case 'endsWith':
      return typeof value === 'string' && value.endsWith(test.value);
    case 'contains':
      return typeof value === 'string'
        ? value.includes(test.value)
        : Array.isArray(value) && value.includes(test.value);
  }
}

/** NaN, which is neither more nor less, where the two cannot be compared. */
function comparison(value: unknown, bound: number | string): number {
  if (typeof value === 'number' && typeof bound === 'number') return value - bound;
  if (typeof value === 'string' && typeof bound === 'string')
    return value < bound ? -1 : value > bound ? 1 : 0;
  return Number.NaN;
}
