import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameSelector } from '../../../../workers/handlers/videos/frame-selection.ts';
import { CELL_COUNT, shrinkForHash } from '../../../../workers/tools/frame-cells.ts';
import { FrameIndex } from '../../../../workers/tools/frame-index.ts';
import { JpegSplitter } from '../../../../workers/tools/jpeg-splitter.ts';
import { hashDistance, perceptualHash } from '../../../../workers/tools/perceptual-hash.ts';

const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const hash = fc.record({ high: uint32, low: uint32 });

/** Cells of one of several pictures that a hash distinguishes: eight by eight blocks of chance. */
function cellsOf(picture: number): Uint8Array {
  return Uint8Array.from({ length: CELL_COUNT }, (_, index) => {
    const block = Math.floor((index % 160) / 20) + 8 * Math.floor(index / 160 / 12);
    const mixed = Math.imul((block + 1) * 0x9e3779b1 + picture * 0x632be5ab, 0x85ebca6b);
    return 30 + (((mixed ^ (mixed >>> 13)) >>> 0) % 190);
  });
}

test('the index finds the newest frame within the distance, as a look at each bit does', () => {
  const bits = (number: number): number => number.toString(2).replaceAll('0', '').length;
  fc.assert(
    fc.property(
      fc.array(hash, { maxLength: 600 }),
      fc.nat(40),
      hash,
      fc.nat(700),
      (hashes, max, wanted, before) => {
        const index = new FrameIndex(max);
        for (const each of hashes) index.add(each);
        const expected = hashes
          .slice(0, before)
          .findLastIndex(
            ({ high, low }) => bits((high ^ wanted.high) >>> 0) + bits((low ^ wanted.low) >>> 0) <= max,
          );
        expect(index.findLast(wanted, before)).toBe(expected);
      },
    ),
    { numRuns: 50 },
  );
});

test('brightness and contrast hardly change the hash of a picture', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 40, max: 200 }), { minLength: 1024, maxLength: 1024 }),
      fc.integer({ min: -30, max: 30 }),
      (gray, more) => {
        const brighter = gray.map((value) => value + more);
        expect(hashDistance(perceptualHash(gray), perceptualHash(brighter))).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 40 },
  );
});

test('the frames’ spans are apart, ascending, and with what was left out they are the whole video', () => {
  const video = fc.array(fc.record({ picture: fc.nat(6), count: fc.integer({ min: 1, max: 30 }) }), {
    minLength: 1,
    maxLength: 25,
  });
  const pictures = Array.from({ length: 7 }, (_, picture) => cellsOf(picture));
  fc.assert(
    fc.property(
      video,
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 20, max: 4000 }),
      (shots, cap, stepMs) => {
        const selector = new FrameSelector({
          targetFps: 1000 / stepMs,
          dedupeThreshold: 0.95,
          maxFramesPerMinute: cap,
        });
        const shown: { tMs: number; picture: number }[] = [];
        const chosen: number[] = [];
        for (const { picture, count } of shots) {
          for (let n = 0; n < count; n++) {
            const tMs = shown.length * stepMs;
            shown.push({ tMs, picture });
            const frame = selector.push({
              tMs,
              cells: pictures[picture] as Uint8Array,
              jpeg: Buffer.from([picture]),
            });
            if (frame !== null) chosen.push(frame.tMs);
          }
        }
        const endMs = shown.length * stepMs;
        const last = selector.finish(endMs);
        if (last !== null) chosen.push(last.tMs);

        expect(selector.frames.map(({ tMs }) => tMs)).toEqual(chosen);
        const spans = selector.frames
          .flatMap(({ tMs, spans: own }) => own.map(([start, end]) => ({ tMs, start, end })))
          .sort((a, b) => a.start - b.start);
        let covered = 0;
        for (const [index, { start, end }] of spans.entries()) {
          expect(end).toBeGreaterThan(start);
          expect(start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
          covered += end - start;
        }
        // Each picture is in the time of a frame that shows the same, or of none.
        let missing = 0;
        for (const { tMs, picture } of shown) {
          const span = spans.find(({ start, end }) => start <= tMs && tMs < end);
          if (span === undefined) missing++;
          else expect(shown[span.tMs / stepMs]?.picture).toBe(picture);
        }
        expect(covered).toBe((shown.length - missing) * stepMs);
        const minutes = Map.groupBy(chosen, (tMs) => Math.floor(tMs / 60_000));
        for (const times of minutes.values()) expect(times.length).toBeLessThanOrEqual(cap);
        expect(selector.sampledCount).toBe(shown.length);
      },
    ),
    { numRuns: 40 },
  );
});

test('a clock that ticks does not use up the room of the pages behind it', () => {
  const selector = new FrameSelector({ targetFps: 10, dedupeThreshold: 0.95, maxFramesPerMinute: 60 });
  let kept = 0;
  for (let n = 0; n < 600; n++) {
    const cells = cellsOf(Math.floor(n / 100)).slice();
    // A cell of its own for each second.
    cells[1000 + Math.floor(n / 10) * 7] = n % 2 === 0 ? 128 : 126;
    if (selector.push({ tMs: n * 100, cells, jpeg: Buffer.alloc(1) }) !== null) kept++;
  }
  selector.finish(60_000);
  expect(kept).toBeLessThanOrEqual(36);
  expect(kept).toBeGreaterThan(6);
  expect(selector.capped).toEqual([]);
  // All of the time is some frame's.
  const covered = selector.frames
    .flatMap(({ spans }) => spans)
    .reduce((sum, [start, end]) => sum + end - start, 0);
  expect(covered).toBe(60_000);
});

test('a stream of JPEGs is cut at their ends, wherever its pieces end and whatever their headers hold', () => {
  const jpeg = fc
    .tuple(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 200 }))
    .map(([header, coded]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(header.length + 2);
      // In the coded picture an 0xff is followed by a zero.
      const scan = [...coded].flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte]));
      const parts = [
        [0xff, 0xd8, 0xff, 0xfe],
        [...length],
        [...header],
        [0xff, 0xda, 0, 2],
        scan,
        [0xff, 0xd9],
      ];
      return Buffer.from(parts.flat());
    });
  fc.assert(
    fc.property(
      fc.array(jpeg, { maxLength: 6 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 90 })),
      (jpegs, sizes) => {
        const seen: Buffer[] = [];
        const splitter = new JpegSplitter((each) => seen.push(each));
        const all = Buffer.concat(jpegs);
        for (let at = 0; at < all.length; ) {
          const size = sizes.next().value as number;
          splitter.write(all.subarray(at, at + size));
          at += size;
        }
        expect(seen.map((each) => each.toString('hex'))).toEqual(jpegs.map((each) => each.toString('hex')));
      },
    ),
    { numRuns: 100 },
  );
  expect(() => new JpegSplitter(() => {}).write(Buffer.from('no picture'))).toThrow(RangeError);
});

/**
 * A page of small letters on a ground that all pages share, so that their hashes are alike; `share` of the
 * letters' ink is there.
 */
function pageOf(letters: number, share = 1): Uint8Array {
  const cells = cellsOf(0).slice();
  for (let n = 0; n < 60; n++) {
    const index = (2000 + letters * 37 + n * 211) % CELL_COUNT;
    cells[index] = Math.round((cells[index] as number) + share * 35);
  }
  return cells;
}

test('the unsharp pictures that a new page begins with are in its time, and in that of no similar page', () => {
  const selector = new FrameSelector({ targetFps: 10, dedupeThreshold: 0.95, maxFramesPerMinute: 60 });
  const [first, last] = [perceptualHash(shrinkForHash(pageOf(1))), perceptualHash(shrinkForHash(pageOf(3)))];
  expect(hashDistance(first, last)).toBeLessThanOrEqual(3);
  let tMs = 0;
  const show = (cells: Uint8Array, times = 1): void => {
    for (let n = 0; n < times; n++, tMs += 100) selector.push({ tMs, cells, jpeg: Buffer.alloc(1) });
  };
  for (const page of [1, 2, 3]) {
    show(pageOf(page, page === 1 ? 1 : 0.55));
    show(pageOf(page, page === 1 ? 1 : 0.8));
    show(pageOf(page), 18);
  }
  // Back to the first page, as sharp as it was.
  show(pageOf(1), 10);
  selector.finish(tMs);
  expect(selector.frames.map(({ spans }) => spans)).toEqual([
    [
      [0, 2000],
      [6000, 7000],
    ],
    [[2000, 4000]],
    [[4000, 6000]],
  ]);
});

test('a page with a running clock is on screen all the time, though no two pictures of it are the same', () => {
  const selector = new FrameSelector({ targetFps: 10, dedupeThreshold: 0.95, maxFramesPerMinute: 60 });
  for (let n = 0; n < 100; n++) {
    const cells = pageOf(1);
    if (n > 10) cells[5000 + n] = 255;
    selector.push({ tMs: n * 100, cells, jpeg: Buffer.alloc(1) });
  }
  selector.finish(10_000);
  expect(selector.frames.map(({ spans }) => spans)).toEqual([[[0, 10_000]]]);
});
