/**
 * The worker loop of a call-processing system, on Millrace's queue: claim, run a stage, complete; or fail,
 * with a backoff of 30 s, 60 s, 120 s … at most 600 s. Start it with DATABASE_URL and what `millrace worker`
 * takes; calls are submitted as usual.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/config/config.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { calls } from '../../src/domains/calls/index.ts';
import { type JobQueue, openJobs, type QueueJob } from '../../src/library/index.ts';
import { openCallStages } from './stages.ts';

/** How often it looks for work when there was none. */
const IDLE_MS = 1_000;

export async function workerLoop(
  queue: JobQueue,
  runStage: (job: QueueJob) => Promise<Outcome>,
  workerId: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const job = await queue.claim(workerId);
    if (job === null) {
      await sleep(IDLE_MS, undefined, { signal }).catch(() => undefined);
      continue;
    }
    try {
      // What the stage gave leads to the next one; while a provider is at work, it puts the job off.
      await queue.complete(job.id, await runStage(job));
    } catch (error) {
      const backoffSeconds = Math.min(600, 30 * 2 ** job.attempts);
      await queue.fail(job.id, String(error), backoffSeconds);
    }
  }
}

if (import.meta.main) {
  const config = loadConfig();
  const databaseUrl = config.databaseUrl ?? 'postgres://localhost/millrace';
  const jobs = await openJobs({ databaseUrl, definitions: calls.definitions });
  const stages = await openCallStages(config, databaseUrl, jobs);
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  process.once('SIGINT', () => stopping.abort());
  await workerLoop(jobs.queue, stages.runStage, `loop-${process.pid}`, stopping.signal);
  await jobs.close();
  await stages.close();
}
