import type { Facts, JobFact, Move } from '../../chaos/facts.ts';
import type { JobStatus } from '../../src/core/job.ts';

/** One job's life for the judges: its row, the moves that led there, its runs, and what its handler noted. */
export interface Life {
  readonly job: JobFact;
  readonly moves: readonly Move[];
  readonly runs: Facts['runs'];
  readonly effects: Facts['effects'];
}

/** A job that ran once and succeeded, from one second to another. */
export function goodLife(id: string, fromS: number, untilS: number, change: Partial<JobFact> = {}): Life {
  const job: JobFact = {
    id,
    tenantId: 'tenant-a',
    definitionKey: 'chaos-free',
    status: 'succeeded',
    runNo: 1,
    attemptCount: 0,
    maxAttempts: 4,
    lostLeaseCount: 0,
    snoozeCount: 0,
    pendingDependencies: 0,
    reason: null,
    hasLease: false,
    isCancelRequested: false,
    dueInSeconds: -1,
    isPermanent: false,
    isCanceled: false,
    ...change,
  };
  const move = (was: JobStatus, became: JobStatus, atS: number): Move => ({
    jobId: id,
    runNo: job.runNo,
    was,
    became,
    atUs: atS * 1e6,
  });
  return {
    job,
    moves: [move('queued', 'running', fromS), move('running', job.status, untilS)],
    runs: [
      {
        jobId: id,
        runNo: 1,
        attempt: 'succeeded',
        isKnownToHaveBegun: true,
        hadCompany: false,
        usage: 'succeeded',
      },
    ],
    effects: [
      { kind: 'began', jobId: id, runNo: 1, pid: 1 },
      { kind: 'done', jobId: id, runNo: 1, pid: 1 },
    ],
  };
}

export function factsOf(lives: readonly Life[], change: Partial<Facts> = {}): Facts {
  return {
    planned: lives.length,
    plannedEvents: 0,
    events: [],
    schedules: [],
    jobs: lives.map(({ job }) => job),
    moves: lives.flatMap(({ moves }) => moves),
    runs: lives.flatMap(({ runs }) => runs),
    effects: lives.flatMap(({ effects }) => effects),
    edges: [],
    limits: [],
    maxRssMb: 250,
    ...change,
  };
}
