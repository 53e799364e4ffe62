import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveRange } from '../../src/storage/byte-range.ts';

test('a range header is applied as RFC 9110 says', () => {
  const partial = (firstByte: number, lastByte: number) => ({
    kind: 'partial',
    range: { firstByte, lastByte },
  });
  expect(resolveRange(undefined, 100)).toEqual({ kind: 'whole' });
  expect(resolveRange('bytes=0-0', 100)).toEqual(partial(0, 0));
  expect(resolveRange('bytes=10-', 100)).toEqual(partial(10, 99));
  expect(resolveRange('bytes=10-5000', 100)).toEqual(partial(10, 99));
  expect(resolveRange('bytes=-30', 100)).toEqual(partial(70, 99));
  expect(resolveRange('bytes=-300', 100)).toEqual(partial(0, 99));
  expect(resolveRange('bytes=100-', 100)).toEqual({ kind: 'unsatisfiable' });
  expect(resolveRange('bytes=-0', 100)).toEqual({ kind: 'unsatisfiable' });
  expect(resolveRange('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' });
});

test('what is malformed, of another unit or a list is ignored', () => {
  for (const header of ['bytes=-', 'bytes=5-2', 'bytes=a-b', 'items=0-1', 'bytes=0-1,5-6', 'bytes=1', '']) {
    expect(resolveRange(header, 100), header).toEqual({ kind: 'whole' });
  }
});

test('no header yields a range outside of the object', () => {
  const header = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.option(fc.nat()), fc.option(fc.nat()))
      .map(([first, last]) => `bytes=${first ?? ''}-${last ?? ''}`),
  );
  fc.assert(
    fc.property(header, fc.nat({ max: 1000 }), (text, sizeBytes) => {
      const resolved = resolveRange(text, sizeBytes);
      if (resolved.kind !== 'partial') return;
      expect(resolved.range.firstByte).toBeGreaterThanOrEqual(0);
      expect(resolved.range.firstByte).toBeLessThanOrEqual(resolved.range.lastByte);
      expect(resolved.range.lastByte).toBeLessThan(sizeBytes);
    }),
  );
});
