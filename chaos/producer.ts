import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ProducerQueue } from '../src/core/producer-queue.ts';
import { persistently } from './persistently.ts';
import { GROUP_SIZE, type PlannedJob } from './plan.ts';

export interface ProducerDeps {
  readonly queue: ProducerQueue;
  readonly pool: pg.Pool;
  readonly tenantIds: readonly string[];
  readonly plan: readonly PlannedJob[];
  /** The plan is spread over this time. */
  readonly overMs: number;
  readonly signal: AbortSignal;
}

/**
 * Enqueues the plan as an application would that does not give up: a call that fails is tried again, after a
 * look whether it was committed all the same. Cancels the jobs that are to be canceled.
 */
export async function produce({ queue, pool, tenantIds, plan, overMs, signal }: ProducerDeps): Promise<void> {
  const idOf = new Map<number, string>();
  const beganMs = performance.now();
  for (let at = 0; at < plan.length; at += GROUP_SIZE) {
    signal.throwIfAborted();
    const group = plan.slice(at, at + GROUP_SIZE);
    const tenantId = tenantIds[group[0]?.tenant ?? 0] as string;
    const correlationId = `chaos-${at}`;
    const ids = await persistently(signal, async () => {
      const { rows } = await pool.query(
        `select id from millrace.jobs where correlation_id = $1 order by (payload ->> 'n')::integer, id`,
        [correlationId],
      );
      if (rows.length > 0) return rows.map((row) => row.id as string);
      const results = await queue.enqueue(
        tenantId,
        group.map((planned) => toInput(planned, correlationId, idOf)),
      );
      return results.map(({ id }) => id);
    });
    for (const [index, planned] of group.entries()) idOf.set(planned.payload.n, ids[index] as string);
    for (const planned of group.filter(({ canceled }) => canceled)) {
      const id = idOf.get(planned.payload.n) as string;
      await persistently(signal, () => queue.cancel(tenantId, id, 'user:chaos', 'asked by the suite'));
    }
    const dueMs = beganMs + (overMs * (at + GROUP_SIZE)) / plan.length;
    await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal });
  }
}

function toInput(planned: PlannedJob, correlationId: string, idOf: ReadonlyMap<number, string>) {
  return {
    definitionKey: planned.definitionKey,
    payload: planned.payload,
    priority: planned.priority,
    correlationId,
    scheduledFor: planned.delayMs === 0 ? null : new Date(Date.now() + planned.delayMs),
    ...(planned.dependsOn.length === 0
      ? {}
      : { dependsOn: planned.dependsOn.map(({ n, policy }) => ({ jobId: idOf.get(n) as string, policy })) }),
  };
}
