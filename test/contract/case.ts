import { expect } from 'vitest';
import type { ClaimedJob, EnqueueInput } from '../../src/core/queue.ts';
import type { Engine } from './engine.ts';

/** One promise of the contract, as a sentence, and how to see it kept. Each begins with no job at all. */
export interface ContractCase {
  readonly name: string;
  readonly run: (engine: Engine) => Promise<void>;
}

/** Enqueues one job of `plain`, or of what the input names. */
export async function enqueueOne(
  engine: Engine,
  tenantId: string,
  input: Partial<EnqueueInput> = {},
): Promise<string> {
  const [result] = await engine.queue.enqueue(tenantId, [{ definitionKey: 'plain', payload: {}, ...input }]);
  if (result === undefined) throw new Error('an enqueue without a result');
  return result.id;
}

/** Claims for a worker that knows these definitions, `plain` alone by default. */
export async function claimSome(
  engine: Engine,
  limit: number,
  { keys = ['plain'], workerId = 'worker-a' }: { keys?: readonly string[]; workerId?: string } = {},
): Promise<readonly ClaimedJob[]> {
  const definitionIds = keys.map((key) => engine.definitionId(key));
  return (await engine.queue.claim({ workerId, definitionIds, limit, after: null })).jobs;
}

/** Claims one job, which must be there. */
export async function claimOne(engine: Engine, workerId = 'worker-a'): Promise<ClaimedJob> {
  const [claimed] = await claimSome(engine, 1, { workerId });
  expect(claimed, 'a job that may run now is claimed').toBeDefined();
  return claimed as ClaimedJob;
}

/** A job that one worker has claimed and lost, and another has claimed since. */
export async function claimedTwice(
  engine: Engine,
): Promise<{ readonly jobId: string; readonly stale: ClaimedJob; readonly current: ClaimedJob }> {
  const jobId = await enqueueOne(engine, await engine.makeTenant());
  const stale = await claimOne(engine, 'worker-a');
  await engine.expireLease(jobId);
  await engine.queue.rescue(10);
  await engine.makeDue(jobId);
  const current = await claimOne(engine, 'worker-b');
  expect(current.lease.jobId).toBe(jobId);
  return { jobId, stale, current };
}
