import { describe, expect, test } from 'vitest';
import type { NewJob } from '../../src/queue/new-jobs.ts';
import { statementParts } from '../../src/queue/statement-parts.ts';

function job(chars: number): NewJob {
  const input = { definitionKey: 'alpha', payload: {} };
  return { tenantId: 'tenant', input, payloadJson: ' '.repeat(chars), revision: null, start: null };
}

function sizes(jobs: readonly NewJob[]): number[] {
  const parts = statementParts(jobs);
  expect(parts.flat()).toEqual(jobs);
  return parts.map((part) => part.length);
}

describe('the jobs of a call', () => {
  test('go into one statement, up to 2,000 of them', () => {
    expect(sizes(Array.from({ length: 2_000 }, () => job(2)))).toEqual([2_000]);
    expect(sizes(Array.from({ length: 4_001 }, () => job(2)))).toEqual([2_000, 2_000, 1]);
    expect(sizes([job(2)])).toEqual([1]);
  });

  test('are fewer a statement where their payloads are large, and a payload that is larger goes alone', () => {
    const mebibyte = 1024 * 1024;
    expect(sizes(Array.from({ length: 33 }, () => job(mebibyte)))).toEqual([16, 16, 1]);
    expect(sizes([job(2), job(20 * mebibyte), job(2)])).toEqual([1, 1, 1]);
    expect(sizes([job(20 * mebibyte), job(20 * mebibyte)])).toEqual([1, 1]);
  });
});
