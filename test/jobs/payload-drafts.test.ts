import { describe, expect, test } from 'vitest';
import { echo } from '../../src/domains/echo/echo.ts';
import { PayloadValidator } from '../../src/jobs/payload-validator.ts';
import { createPayloadCheck } from '../../src/runs/payload-check.ts';

interface Case {
  readonly keyword: string;
  readonly schema: Record<string, unknown>;
  readonly good: unknown;
  /** Taken by draft-07, which does not know the keyword. */
  readonly bad: unknown;
}

/** Schemas that JSON Schema 2020-12 reads otherwise than draft-07. */
const CASES: readonly Case[] = [
  {
    keyword: 'prefixItems',
    schema: {
      type: 'object',
      properties: { pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }] } },
    },
    good: { pair: ['a', 1] },
    bad: { pair: [1, 'a'] },
  },
  {
    keyword: 'dependentRequired',
    schema: { type: 'object', dependentRequired: { card: ['address'] } },
    good: { card: '1', address: 'x' },
    bad: { card: '1' },
  },
  {
    keyword: 'dependentSchemas',
    schema: { type: 'object', dependentSchemas: { card: { required: ['address'] } } },
    good: {},
    bad: { card: '1' },
  },
  {
    keyword: 'unevaluatedProperties',
    schema: {
      type: 'object',
      allOf: [{ properties: { a: { type: 'string' } } }],
      properties: { b: { type: 'string' } },
      unevaluatedProperties: false,
    },
    good: { a: 'x', b: 'y' },
    bad: { a: 'x', c: 'z' },
  },
  {
    keyword: 'minContains',
    schema: {
      type: 'object',
      properties: { list: { type: 'array', contains: { type: 'integer' }, minContains: 2 } },
    },
    good: { list: [1, 2] },
    bad: { list: [1, 'a'] },
  },
  {
    keyword: '$defs beside $ref',
    schema: {
      type: 'object',
      $defs: { name: { type: 'string' } },
      properties: { name: { $ref: '#/$defs/name', maxLength: 3 } },
    },
    good: { name: 'abc' },
    bad: { name: 'abcd' },
  },
];

const TENANT = '018f0000-0000-7000-8000-000000000001';

const api = new PayloadValidator();
const worker = createPayloadCheck();

function atApi({ keyword, schema }: Case, payload: unknown): unknown {
  const owner = { id: keyword, key: 'k', arg_schema: schema, updated_at: new Date(0) };
  return JSON.parse(api.checkText(owner, payload).json);
}

const atWorker = ({ schema }: Case, payload: unknown): unknown =>
  worker.parse({ ...echo, key: 'k', payload: schema as never }, payload, TENANT);

describe('the API and workers read a schema by the same draft, 2020-12', () => {
  test.each(CASES)('$keyword: both take the good payload and refuse the bad one', (one) => {
    expect(atApi(one, one.good)).toEqual(one.good);
    expect(atWorker(one, one.good)).toEqual(one.good);
    expect(() => atApi(one, one.bad)).toThrow(/Payload of k/);
    expect(() => atWorker(one, one.bad)).toThrow(/does not fit k/);
  });

  test('a schema of draft-07’s own form, a list under `items`, is refused by both', () => {
    const one = { keyword: 'items', schema: { items: [{ type: 'string' }] }, good: [], bad: [] };
    expect(() => atApi(one, ['a'])).toThrow(/schema is invalid/);
    expect(() => atWorker(one, ['a'])).toThrow(/schema is invalid/);
  });
});
