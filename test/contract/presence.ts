import type { WorkerPresence } from '../../src/core/worker-records.ts';

/** A worker process as it shows itself. */
export function workerPresence(
  workerId: string,
  definitionKeys: readonly string[],
  runningCount = 0,
): WorkerPresence {
  return {
    workerId,
    hostname: 'host',
    pid: 1,
    version: '1',
    definitionKeys,
    typeConcurrency: {},
    concurrency: 2,
    runningCount,
    startedAt: new Date(),
    isStopping: false,
  };
}
