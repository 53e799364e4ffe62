import { hostname } from 'node:os';
import type { HeartbeatSetup } from './heartbeat-messages.ts';
import type { WorkerDeps, WorkerOptions } from './running-worker.ts';

/** What the heartbeat thread of a worker is given when it starts. */
export function heartbeatSetupOf(
  workerId: string,
  { served, heartbeatThread, threadLog }: WorkerDeps,
  { concurrency, version = '', blockedAfterMs = 10_000, exitWhenBlocked = true }: WorkerOptions,
): Omit<HeartbeatSetup, 'pulse' | 'places'> {
  return {
    workerId,
    hostname: hostname(),
    pid: process.pid,
    version,
    definitionKeys: served.keys,
    typeConcurrency: Object.fromEntries(served.concurrency),
    concurrency,
    startedAt: new Date(),
    engine: heartbeatThread.engine,
    log: threadLog,
    blockedAfterMs,
    exitWhenBlocked,
  };
}
