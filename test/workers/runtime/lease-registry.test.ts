import { expect, test } from 'vitest';
import { BlockedGuard } from '../../../workers/runtime/blocked-guard.ts';
import type { HeldLease, LeaseBatch } from '../../../workers/runtime/lease-batch.ts';
import { LeaseRegistry } from '../../../workers/runtime/lease-registry.ts';
import { SharedLeaseTable } from '../../../workers/runtime/shared-lease-table.ts';

const leaseTable = new SharedLeaseTable(100);
const places = new Map<string, number>();

/** A batch of one lease; its run number is 1. */
function held(jobId: string, leaseSeconds = 30, timeoutMs = 1_000): LeaseBatch {
  const place = leaseTable.take();
  places.set(jobId, place);
  const columns = { jobIds: jobId, runNos: Int32Array.of(1), places: Int32Array.of(place) };
  return { token: jobId, definitionKey: 'task', leaseSeconds, timeoutMs, ...columns };
}

const release = (...released: readonly string[]): void => {
  for (const key of released) leaseTable.release(places.get(key) ?? -1);
};
/** As if the run had begun at 0 of the clock that the tests make up. */
const beginAtZero = (key: string): void => {
  leaseTable.places[places.get(key) ?? -1] = Number.MIN_VALUE;
};

const ids = (leases: readonly HeldLease[]): readonly string[] => leases.map(({ lease }) => lease.jobId);

test('a lease is due at a third of its time, together with those that are half way there', () => {
  const registry = new LeaseRegistry(leaseTable.places);
  registry.hold([held('a')], 0);
  registry.hold([held('b')], 4_000);
  registry.hold([held('c')], 9_000);
  expect(ids(registry.due(9_999))).toEqual([]);
  expect(ids(registry.due(10_000))).toEqual(['a', 'b']);
  registry.renewed(registry.due(10_000), 10_000);
  expect(ids(registry.due(18_999))).toEqual([]);
  expect(ids(registry.due(19_000))).toEqual(['a', 'b', 'c']);
  release('a', 'b');
  expect(ids(registry.due(60_000))).toEqual(['c']);
});

test('long leases are not renewed at the pace of short ones', () => {
  const registry = new LeaseRegistry(leaseTable.places);
  registry.hold([held('short', 3), held('long', 300)], 0);
  expect(ids(registry.due(1_000))).toEqual(['short']);
});

test('leases of a batch are distinguished, those that are over before anybody asks are passed over, and none is left unread', () => {
  const large = new SharedLeaseTable(10_000);
  const registry = new LeaseRegistry(large.places);
  const batch = (from: number, count: number): LeaseBatch => {
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
  for (let from = 0; from < 6_000; from += 500) registry.hold([batch(from, 500)], from);
  expect(registry.size).toBe(600);
  expect(registry.has('job-1010:1010')).toBe(true);
  expect(registry.has('job-1011:1011')).toBe(false);
  expect(registry.due(60_000)[101]).toMatchObject({ lease: { jobId: 'job-1010', runNo: 1010, token: 't' } });
});

function guarded() {
  const registry = new LeaseRegistry(leaseTable.places);
  const pulse = new Int32Array(new SharedArrayBuffer(4));
  const guard = new BlockedGuard(pulse, 10_000, 0);
  const lookUntil = (fromMs: number, toMs: number): void => {
    for (let ms = fromMs; ms <= toMs; ms += 500) guard.look(ms);
  };
  return { registry, pulse, guard, lookUntil };
}

test('a main loop that is silent for as long as a run is past its deadline is blocked by it', () => {
  const { registry, guard, lookUntil } = guarded();
  registry.hold([held('blocking'), held('waiting')], 0);
  beginAtZero('blocking');
  lookUntil(0, 10_500);
  expect(ids(guard.blocking(registry, 10_500, 10_500))).toEqual([]);
  lookUntil(11_000, 11_500);
  expect(ids(guard.blocking(registry, 11_500, 11_500))).toEqual(['blocking']);
  expect(ids(registry.notBegun())).toEqual(['waiting']);
});

test('a loop that lives is not blocked, however long its runs are over their time', () => {
  const { registry, pulse, guard, lookUntil } = guarded();
  registry.hold([held('a')], 0);
  beginAtZero('a');
  lookUntil(0, 60_000);
  Atomics.add(pulse, 0, 1);
  guard.look(60_500);
  expect(guard.blocking(registry, 60_500, 60_500)).toEqual([]);
});

test('a process that was stopped as a whole and goes on is not taken for a blocked one', () => {
  const { registry, guard } = guarded();
  registry.hold([held('a')], 0);
  beginAtZero('a');
  guard.look(500);
  guard.look(600_000);
  expect(guard.blocking(registry, 600_000, 600_000)).toEqual([]);
});

test('a place is not given out again while the thread may still take it for the run before', () => {
  const small = new SharedLeaseTable(2);
  const first = small.take();
  small.release(first);
  const later = Array.from({ length: 4_000 }, () => {
    const place = small.take();
    small.release(place);
    return place;
  });
  expect(later).not.toContain(first);
  const kept = new SharedLeaseTable(1);
  const all = Array.from({ length: kept.places.length }, () => kept.take());
  expect(new Set(all).size).toBe(all.length);
  expect(() => kept.take()).toThrow(RangeError);
});
