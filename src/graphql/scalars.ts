import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped, visit } from 'graphql';
import { EXACT_NUMBERS, isExact } from '../core/exact-numbers.ts';
import { isUuid } from '../core/ids.ts';
import { builder } from './builder.ts';
import { parseRfc3339 } from './rfc-3339.ts';

builder.scalarType('DateTime', {
  description: 'A time as RFC 3339 text, always in UTC on the way out: `2026-11-27T23:14:41.000Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => timeOf(value),
  parseLiteral: (node) => timeOf(valueFromASTUntyped(node), node),
});

builder.scalarType('Date', {
  description: 'A calendar day in UTC: `2026-11-28`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => value,
  parseValue: (value) => dayOf(value),
  parseLiteral: (node) => dayOf(valueFromASTUntyped(node), node),
});

builder.scalarType('BigInt', {
  description: 'An integer of up to 64 bits, as text on the way out: JSON numbers lose digits above 2^53.',
  serialize: (value) => value.toString(),
  parseValue: (value) => {
    const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (
      typeof text !== 'string' ||
      !/^-?\d{1,19}$/.test(text) ||
      BigInt.asIntN(64, BigInt(text)) !== BigInt(text)
    )
      throw notOf('BigInt', value, 'an integer of 64 bits, as text or a safe number');
    return BigInt(text);
  },
  parseLiteral: (node) => {
    if ((node.kind === Kind.INT || node.kind === Kind.STRING) && /^-?\d{1,19}$/.test(node.value)) {
      const value = BigInt(node.value);
      if (BigInt.asIntN(64, value) === value) return value;
    }
    throw notOf('BigInt', valueFromASTUntyped(node), 'an integer of 64 bits', node);
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => {
    checkNumbers(node);
    return valueFromASTUntyped(node, variables);
  },
});

builder.scalarType('UUID', {
  description: 'A UUID in its canonical form, in lower case.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  serialize: (value) => value,
  parseValue: (value) => uuidOf(value),
  parseLiteral: (node) => uuidOf(valueFromASTUntyped(node), node),
});

function timeOf(value: unknown, node?: ValueNode): Date {
  const time = typeof value === 'string' ? parseRfc3339(value) : null;
  if (time === null) throw notOf('DateTime', value, 'RFC 3339 text with a time zone', node);
  const year = time.getUTCFullYear();
  // Postgres has no year 0, and writes one behind 9999 in another form.
  if (year < 1 || year > 9_999) throw notOf('DateTime', value, 'a time of the years 1 to 9999', node);
  return time;
}

function dayOf(value: unknown, node?: ValueNode): string {
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)))
    return value;
  throw notOf('Date', value, 'a day as YYYY-MM-DD', node);
}

function uuidOf(value: unknown, node?: ValueNode): string {
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  throw notOf('UUID', value, '8-4-4-4-12 hexadecimal digits', node);
}

/** @throws GraphQLError at the first number that JavaScript would make another one of */
function checkNumbers(root: ValueNode): void {
  visit(root, {
    enter: (node) => {
      if ((node.kind !== Kind.INT && node.kind !== Kind.FLOAT) || isExact(node.value)) return;
      throw new GraphQLError(`${node.value.slice(0, 60)} in a JSON value; allowed: ${EXACT_NUMBERS}`, {
        nodes: node,
        extensions: { code: 'INVALID_ARGUMENT', allowed: EXACT_NUMBERS },
      });
    },
  });
}

/** @param node where the value stands, of one that is written in a document */
function notOf(type: string, value: unknown, allowed: string, node?: ValueNode): GraphQLError {
  return new GraphQLError(`${type} is ${shown(value)}; allowed: ${allowed}`, {
    nodes: node ?? null,
    extensions: { allowed },
  });
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80);
}
