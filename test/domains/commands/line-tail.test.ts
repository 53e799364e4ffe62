import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineTail } from '../../../workers/handlers/commands/line-tail.ts';

function tailOf(bytes: Buffer, limit: number, pieces: number): string {
  const tail = new LineTail(limit);
  for (let at = 0; at < bytes.length; at += pieces) tail.write(bytes.subarray(at, at + pieces));
  return tail.text();
}

it('keeps all of an output that fits, and whole lines of one that does not', () => {
  expect(tailOf(Buffer.from('one\ntwo\n'), 100, 3)).toBe('one\ntwo\n');
  expect(tailOf(Buffer.from('one\ntwo\nthree\n'), 10, 3)).toBe('two\nthree\n');
  expect(tailOf(Buffer.from('one\ntwo\nthree\n'), 9, 3)).toBe('three\n');
  expect(tailOf(Buffer.from('x'.repeat(50)), 10, 7)).toBe('x'.repeat(10));
});

it('is text that Postgres takes within the limit, whatever the bytes and the pieces they come in', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (bytes, limit, pieces) => {
        const text = tailOf(Buffer.from(bytes), limit, pieces);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
        expect(text).not.toContain('\0');
        expect(text.isWellFormed()).toBe(true);
      },
    ),
  );
});

it('never cuts a character of a valid text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.integer({ min: 4, max: 60 }),
      (text, limit) => {
        const tail = tailOf(Buffer.from(text), limit, 3);
        expect(text.replaceAll('\0', '').endsWith(tail)).toBe(true);
      },
    ),
  );
});
