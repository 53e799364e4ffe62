import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { decodeCursor, encodeCursor, encodePageCursor, FRESH_CURSOR } from '../../src/events/cursor.ts';
import type { Position } from '../../src/events/position.ts';
import { POSITION_LIFE_MS, planResume } from '../../src/events/resume.ts';
import { isAtLeast, isVisible, parseSnapshot, REUSED_XIDS, rewind } from '../../src/events/snapshot.ts';

const micros = fc.bigInt({ min: 1n, max: 10n ** 18n });

function positions(maxXip = 60): fc.Arbitrary<Position> {
  return fc.record({
    server: fc.record({
      systemId: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
      timeline: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      life: fc.tuple(micros, micros).map(([start, reset]) => `${start}.${reset}`),
    }),
    snapshot: fc
      .tuple(
        fc.bigInt({ min: 3n, max: 2n ** 60n }),
        fc.array(fc.bigInt({ min: 1n, max: 1000n }), { maxLength: maxXip }),
      )
      .map(([xmin, distances]) => {
        let last = xmin - 1n;
        const xip = distances.map((distance) => (last += distance));
        return { xmin, xmax: last + 1n, xip };
      }),
    takenAtMs: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  });
}

function refusal(cursor: string): unknown {
  try {
    return decodeCursor(cursor);
  } catch (error) {
    return error;
  }
}

test('a cursor returns the position it was made from, and the page where there is one', () => {
  fc.assert(
    fc.property(positions(), positions(), fc.uuid(), (position, later, afterId) => {
      expect(decodeCursor(encodeCursor(position))).toEqual({ position, page: null });
      const { systemId, timeline } = position.server;
      const page = { upTo: { ...later, server: { ...later.server, systemId, timeline } }, afterId };
      expect(decodeCursor(encodePageCursor(position, page))).toEqual({ position, page });
    }),
  );
  expect(decodeCursor(FRESH_CURSOR)).toBeNull();
});

test('a cursor of a server with hundreds of open transactions stays short and shows no more than the snapshot did', () => {
  fc.assert(
    fc.property(positions(2_000), fc.bigInt({ min: 0n, max: 2n ** 61n }), (position, xid) => {
      const cursor = encodeCursor(position);
      expect(cursor.length).toBeLessThan(4_000);
      const decoded = decodeCursor(cursor)?.position;
      if (decoded !== undefined && isVisible(decoded.snapshot, xid))
        expect(isVisible(position.snapshot, xid)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a cursor that was cut, extended or mangled anywhere is refused as an invalid argument', () => {
  fc.assert(
    fc.property(positions(), fc.nat(), fc.constantFrom('cut', 'mangle', 'extend'), (position, at, how) => {
      const cursor = encodeCursor(position);
      const index = at % cursor.length;
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const bad = {
        cut: cursor.slice(0, index),
        mangle: cursor.slice(0, index) + other + cursor.slice(index + 1),
        extend: `${cursor}${other}`,
      }[how];
      expect(refusal(bad)).toMatchObject({ code: 'InvalidArgument', details: { field: 'after' } });
    }),
  );
});

test('whatever text is sent as a cursor, the answer is a position or an invalid argument', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => {
      const answer = refusal(text);
      expect(
        answer === null || answer instanceof DomainError || Object.hasOwn(answer as object, 'position'),
      ).toBe(true);
    }),
  );
});

test('a snapshot shows what ended before it and nothing else', () => {
  const snapshot = parseSnapshot('10:20:10,15');
  const visible = [9n, 10n, 11n, 15n, 19n, 20n, 21n].filter((xid) => isVisible(snapshot, xid));
  expect(visible).toEqual([9n, 11n, 19n]);
  expect(() => parseSnapshot('10:20')).toThrow(TypeError);
});

test('of two snapshots the later one is known by its end, then by how few are still open', () => {
  const [early, middle, late] = ['10:20:10,15', '15:20:15', '15:21:15'].map(parseSnapshot);
  if (early === undefined || middle === undefined || late === undefined) throw new Error('three');
  expect(isAtLeast(middle, early) && isAtLeast(late, middle) && isAtLeast(late, early)).toBe(true);
  expect(isAtLeast(early, middle) || isAtLeast(middle, late)).toBe(false);
});

test('after a restart a position goes on from further back, and only on the same server and within its life', () => {
  fc.assert(
    fc.property(positions(), fc.integer({ min: 0, max: 2 * POSITION_LIFE_MS }), (old, ageMs) => {
      const now = {
        ...old,
        server: { ...old.server, life: '0.0' },
        takenAtMs: old.takenAtMs + ageMs,
      };
      const plan = planResume(old, now);
      if (ageMs > POSITION_LIFE_MS) expect(plan).toEqual({ kind: 'resync', reason: 'tooOld' });
      else {
        const snapshot = rewind(old.snapshot);
        expect(plan).toEqual({ kind: 'from', position: { ...now, snapshot, takenAtMs: old.takenAtMs } });
        const expected = old.snapshot.xmin - REUSED_XIDS;
        expect(snapshot).toEqual({ xmin: max(expected), xmax: max(expected), xip: [] });
      }
      for (const server of [
        { ...now.server, timeline: now.server.timeline + 1 },
        { ...now.server, systemId: '-7' },
      ]) {
        expect(planResume(old, { ...now, server })).toEqual({ kind: 'resync', reason: 'otherServer' });
      }
      expect(planResume(old, { ...old })).toMatchObject({ kind: 'from', position: old });
    }),
  );
});

test('a position from the future of its own server belongs to files that were restored', () => {
  const server = { systemId: '1', timeline: 1, life: '1.1' };
  const old = { server, snapshot: parseSnapshot('500000:500000:'), takenAtMs: 0 };
  const now = { server: { ...server, life: '2.1' }, snapshot: parseSnapshot('900:900:'), takenAtMs: 1 };
  expect(planResume(old, now)).toEqual({ kind: 'resync', reason: 'otherServer' });
});

function max(xid: bigint): bigint {
  return xid > 0n ? xid : 0n;
}
