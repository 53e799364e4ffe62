import type { Lease } from '../../src/core/queue.ts';
import { type Run, runKey } from './run.ts';

/** A lease as the heartbeat thread keeps it. */
export interface HeldLease {
  readonly key: string;
  readonly lease: Lease;
  readonly definitionKey: string;
  readonly leaseSeconds: number;
  /** Counted from the moment the run begins. */
  readonly timeoutMs: number;
  /** Where in the shared lease table it says when the run began and whether it is over. */
  readonly place: number;
}

/**
 * Leases that differ in job, run number and place only, as those of a claim mostly do, in columns: a message
 * of 500 objects cost both threads more than everything else that is done for a lease.
 */
export interface LeaseBatch extends Pick<HeldLease, 'definitionKey' | 'leaseSeconds' | 'timeoutMs'> {
  readonly token: string;
  /** Ids with commas between them. */
  readonly jobIds: string;
  readonly runNos: Int32Array;
  readonly places: Int32Array;
}

/** Runs that have places in the table, in as few batches as their order allows. */
export function leaseBatchesOf(runs: readonly Run[]): readonly LeaseBatch[] {
  const batches: LeaseBatch[] = [];
  for (let from = 0, to = 0; from < runs.length; from = to) {
    const first = runs[from] as Run;
    for (to = from + 1; to < runs.length && haveSameTerms(first, runs[to] as Run); ) to++;
    const jobIds: string[] = [];
    const runNos = new Int32Array(to - from);
    const places = new Int32Array(to - from);
    for (let at = 0; at < to - from; at++) {
      const run = runs[from + at] as Run;
      jobIds.push(run.claimed.lease.jobId);
      runNos[at] = run.claimed.lease.runNo;
      places[at] = run.leasePlace ?? -1;
    }
    const { lease, definitionKey, leaseSeconds, timeoutSeconds } = first.claimed;
    batches.push({
      token: lease.token,
      definitionKey,
      leaseSeconds,
      timeoutMs: timeoutSeconds * 1000,
      jobIds: jobIds.join(','),
      runNos,
      places,
    });
  }
  return batches;
}

/** The leases of a batch whose places pass. */
export function leasesOf(batch: LeaseBatch, passes: (place: number) => boolean): readonly HeldLease[] {
  const leases: HeldLease[] = [];
  let jobIds: readonly string[] | undefined;
  for (let at = 0; at < batch.places.length; at++) {
    const place = batch.places[at] as number;
    if (!passes(place)) continue;
    jobIds ??= batch.jobIds.split(',');
    const { token, definitionKey, leaseSeconds, timeoutMs } = batch;
    const lease = { jobId: jobIds[at] as string, runNo: batch.runNos[at] as number, token };
    leases.push({ key: runKey(lease), lease, definitionKey, leaseSeconds, timeoutMs, place });
  }
  return leases;
}

function haveSameTerms({ claimed: a }: Run, { claimed: b }: Run): boolean {
  return (
    a.lease.token === b.lease.token &&
    a.definitionKey === b.definitionKey &&
    a.leaseSeconds === b.leaseSeconds &&
    a.timeoutSeconds === b.timeoutSeconds
  );
}
