import { expect, test } from 'vitest';
import { BlockedGuard } from '../../workers/runtime/blocked-guard.ts';
import { LeaseBoard } from '../../workers/runtime/lease-board.ts';
import { LeaseBook } from '../../workers/runtime/lease-book.ts';
import type { HeldLease, LeaseSheet } from '../../workers/runtime/lease-sheet.ts';

const board = new LeaseBoard(100);
const places = new Map<string, number>();

/** A sheet of one lease; its run number is 1. */
function held(jobId: string, leaseSeconds = 30, timeoutMs = 1_000): LeaseSheet {
  const place = board.take();
  places.set(jobId, place);
  const columns = { jobIds: jobId, runNos: Int32Array.of(1), places: Int32Array.of(place) };
  return { token: jobId, definitionKey: 'task', leaseSeconds, timeoutMs, ...columns };
}

const release = (...released: readonly string[]): void => {
  for (const key of released) board.release(places.get(key) ?? -1);
};
/** As if the run had begun at 0 of the clock that the tests make up. */
const beginAtZero = (key: string): void => {
  board.places[places.get(key) ?? -1] = Number.MIN_VALUE;
};

const ids = (leases: readonly HeldLease[]): readonly string[] => leases.map(({ lease }) => lease.jobId);

test('a lease is due at a third of its time, together with those that are half way there', () => {
  const book = new LeaseBook(board.places);
  book.hold([held('a')], 0);
  book.hold([held('b')], 4_000);
  book.hold([held('c')], 9_000);
  expect(ids(book.due(9_999))).toEqual([]);
  expect(ids(book.due(10_000))).toEqual(['a', 'b']);
  book.renewed(book.due(10_000), 10_000);
  expect(ids(book.due(18_999))).toEqual([]);
  expect(ids(book.due(19_000))).toEqual(['a', 'b', 'c']);
  release('a', 'b');
  expect(ids(book.due(60_000))).toEqual(['c']);
});

test('long leases are not renewed at the pace of short ones', () => {
  const book = new LeaseBook(board.places);
  book.hold([held('short', 3), held('long', 300)], 0);
  expect(ids(book.due(1_000))).toEqual(['short']);
});

test('leases of a sheet are told apart, those that are over before anybody asks are passed over, and none is left unread', () => {
  const large = new LeaseBoard(10_000);
  const book = new LeaseBook(large.places);
  const sheet = (from: number, count: number): LeaseSheet => {
    const jobs = Array.from({ length: count }, (_, n) => from + n);
    const given = jobs.map(() => large.take());
    for (const [at, place] of given.entries()) if (at % 10 !== 0) large.release(place);
    return {
      token: 't',
      definitionKey: 'task',
      leaseSeconds: 3,
      timeoutMs: 1_000,
      jobIds: jobs.map((n) => `job-${n}`).join(','),
      runNos: Int32Array.from(jobs),
      places: Int32Array.from(given),
    };
  };
  for (let from = 0; from < 6_000; from += 500) book.hold([sheet(from, 500)], from);
  expect(book.size).toBe(600);
  expect(book.has('job-1010:1010')).toBe(true);
  expect(book.has('job-1011:1011')).toBe(false);
  expect(book.due(60_000)[101]).toMatchObject({ lease: { jobId: 'job-1010', runNo: 1010, token: 't' } });
});

function guarded() {
  const book = new LeaseBook(board.places);
  const pulse = new Int32Array(new SharedArrayBuffer(4));
  const guard = new BlockedGuard(pulse, 10_000, 0);
  const lookUntil = (fromMs: number, toMs: number): void => {
    for (let ms = fromMs; ms <= toMs; ms += 500) guard.look(ms);
  };
  return { book, pulse, guard, lookUntil };
}

test('a main loop that is silent for as long as a run is past its deadline is blocked by it', () => {
  const { book, guard, lookUntil } = guarded();
  book.hold([held('blocking'), held('waiting')], 0);
  beginAtZero('blocking');
  lookUntil(0, 10_500);
  expect(ids(guard.blocking(book, 10_500, 10_500))).toEqual([]);
  lookUntil(11_000, 11_500);
  expect(ids(guard.blocking(book, 11_500, 11_500))).toEqual(['blocking']);
  expect(ids(book.notBegun())).toEqual(['waiting']);
});

test('a loop that lives is not blocked, however long its runs are over their time', () => {
  const { book, pulse, guard, lookUntil } = guarded();
  book.hold([held('a')], 0);
  beginAtZero('a');
  lookUntil(0, 60_000);
  Atomics.add(pulse, 0, 1);
  guard.look(60_500);
  expect(guard.blocking(book, 60_500, 60_500)).toEqual([]);
});

test('a process that was stopped as a whole and goes on is not taken for a blocked one', () => {
  const { book, guard } = guarded();
  book.hold([held('a')], 0);
  beginAtZero('a');
  guard.look(500);
  guard.look(600_000);
  expect(guard.blocking(book, 600_000, 600_000)).toEqual([]);
});

test('a place is not given out again while the thread may still take it for the run before', () => {
  const small = new LeaseBoard(2);
  const first = small.take();
  small.release(first);
  const later = Array.from({ length: 4_000 }, () => {
    const place = small.take();
    small.release(place);
    return place;
  });
  expect(later).not.toContain(first);
  const kept = new LeaseBoard(1);
  const all = Array.from({ length: kept.places.length }, () => kept.take());
  expect(new Set(all).size).toBe(all.length);
  expect(() => kept.take()).toThrow(RangeError);
});
