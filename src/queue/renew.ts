import type { HeartbeatResult, Lease } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import { type RenewedRow, renewLeases } from '../db/sql/queue/renew-leases.ts';

/**
 * Renews leases in one statement. Apart from the queue's other verbs, for the heartbeat thread, which has
 * memory of its own for whatever it imports.
 * @param leaseSeconds how long each is good for from now on
 */
export async function renewHeld(
  db: Pick<Database, 'asWorker'>,
  leases: readonly Lease[],
  leaseSeconds: readonly number[],
): Promise<HeartbeatResult> {
  if (leases.length === 0) return { lost: [], busy: [], cancelRequested: [] };
  const { rows } = await db.asWorker<RenewedRow>(renewLeases, [...leaseColumns(leases), leaseSeconds]);
  const held = new Set(rows.map((row) => row.id));
  return {
    lost: leases.filter((lease) => !held.has(lease.jobId)).map((lease) => lease.jobId),
    busy: rows.filter((row) => !row.renewed).map((row) => row.id),
    cancelRequested: rows.filter((row) => row.cancel_requested).map((row) => row.id),
  };
}

/** Leases as statements take them. */
export function leaseColumns(
  leases: readonly Lease[],
): readonly [ids: string[], runNos: number[], tokens: string[]] {
  return [
    leases.map((lease) => lease.jobId),
    leases.map((lease) => lease.runNo),
    leases.map((lease) => lease.token),
  ];
}
