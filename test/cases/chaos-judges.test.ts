import { describe, expect, test } from 'vitest';
import type { Facts } from '../../chaos/facts.ts';
import { judge } from '../../chaos/judges/judge.ts';
import { mostAtOnce } from '../../chaos/judges/limits.ts';
import { factsOf, goodLife, type Life } from './chaos-facts.ts';

const violations = (facts: Facts): readonly string[] => judge(facts).flatMap((found) => found.violations);
const good = goodLife('a', 1, 2);
const next = goodLife('b', 2, 3);

/** An event with two triggers, which has made its jobs unless it is said otherwise. */
function triggered(change: Partial<Facts['events'][0]>): Partial<Facts> {
  const event = { no: '7', isProcessed: true, triggerCount: 2, madeBy: ['t1', 't2'], ...change };
  return { plannedEvents: 1, events: [event] };
}

/** One fact of a good life changed, and what is then said of it. */
const DOCTORED: readonly (readonly [string, Facts, RegExp])[] = [
  [
    'a job that never ended',
    factsOf([{ ...good, job: { ...good.job, status: 'running' } }]),
    /is running in the end/,
  ],
  ['a job that is not there', factsOf([good], { planned: 2 }), /2 jobs were enqueued, 1 are there/],
  [
    'a lease that outlived its job',
    factsOf([{ ...good, job: { ...good.job, hasLease: true } }]),
    /holds a lease/,
  ],
  [
    'a job that waits for parents forever',
    factsOf([{ ...good, job: { ...good.job, status: 'queued', pendingDependencies: 1 } }]),
    /is queued in the end, behind 1 parents/,
  ],
  [
    'a failure that nothing explains',
    factsOf([{ ...good, job: { ...good.job, status: 'failed' } }]),
    /nothing explains/,
  ],
  [
    'a settlement that was made twice',
    factsOf([{ ...good, moves: [...good.moves, ...good.moves.slice(1)] }]),
    /was settled 2 times/,
  ],
  [
    'a settlement by a run that was not the last',
    factsOf([{ ...good, job: { ...good.job, runNo: 2 } }]),
    /is succeeded in run 2, but was settled as succeeded in run 1/,
  ],
  [
    'a row that was changed after its end',
    factsOf([
      { ...good, moves: [...good.moves, { ...(good.moves[1] as Life['moves'][0]), was: 'succeeded' }] },
    ]),
    /changed 1 times after it had ended/,
  ],
  ['an attempt row that is missing', factsOf([{ ...good, runs: [] }]), /run 1 was begun and left no record/],
  [
    'an attempt that was not spent',
    factsOf([{ ...good, job: { ...good.job, attemptCount: 1 } }]),
    /has spent 1 attempts; its rows say 0/,
  ],
  [
    'an attempt whose usage says something else',
    factsOf([
      {
        ...good,
        runs: [
          {
            jobId: 'a',
            runNo: 1,
            attempt: 'succeeded',
            isKnownToHaveBegun: true,
            hadCompany: false,
            usage: 'failed',
          },
        ],
      },
    ]),
    /run 1 is succeeded as an attempt and failed as usage/,
  ],
  [
    'work that counts and was not done',
    factsOf([{ ...good, effects: good.effects.slice(0, 1) }]),
    /succeeded in run 1, in which nothing was done/,
  ],
  [
    'work that was done twice although no lease was lost',
    factsOf([
      {
        ...good,
        runs: [
          ...good.runs,
          {
            jobId: 'a',
            runNo: 2,
            attempt: 'failed',
            isKnownToHaveBegun: true,
            hadCompany: false,
            usage: 'failed',
          },
        ],
        effects: [...good.effects, { kind: 'done', jobId: 'a', runNo: 2, pid: 1 }],
      },
    ]),
    /was done in run 2, which is failed/,
  ],
  [
    'a run that was begun twice',
    factsOf([{ ...good, effects: [...good.effects, ...good.effects.slice(0, 1)] }]),
    /began run 1 twice/,
  ],
  [
    'a child that ran before its parent had ended',
    factsOf([good, goodLife('b', 1.5, 3)], { edges: [{ jobId: 'b', parentId: 'a', policy: 'run' }] }),
    /b ran before its parent a had ended/,
  ],
  [
    'a child that ran although its parent had failed',
    factsOf([{ ...good, job: { ...good.job, status: 'failed', isPermanent: true } }, next], {
      edges: [{ jobId: 'b', parentId: 'a', policy: 'cancel' }],
    }),
    /b is succeeded although a parent ended badly/,
  ],
  [
    'a limit that was exceeded for a moment',
    factsOf([good, goodLife('b', 1.999_999, 3)], {
      limits: [{ tenantId: null, definitionKey: 'chaos-free', perTenant: false, maxRunning: 1 }],
    }),
    /chaos-free: 2 ran at a time, 1 are allowed/,
  ],
  [
    'an event that nobody emitted',
    factsOf([good], { plannedEvents: 1 }),
    /1 events were emitted, 0 are there/,
  ],
  [
    'an event that was never processed',
    factsOf([good], triggered({ isProcessed: false })),
    /was never processed/,
  ],
  [
    'an event that made a job twice',
    factsOf([good], triggered({ madeBy: ['t1', 't2', 't2'] })),
    /event 7 made 3 jobs at 2 of 2 triggers/,
  ],
  [
    'an event that made one job too few',
    factsOf([good], triggered({ madeBy: ['t2'] })),
    /event 7 made 1 jobs at 1 of 2 triggers/,
  ],
  [
    'a tick that made two jobs',
    factsOf([good], { schedules: [{ triggerId: 's', everySeconds: 1, ticksMs: [1_000, 2_000, 2_000] }] }),
    /schedule s made two jobs at 1970-01-01T00:00:02/,
  ],
  [
    'a tick that made none',
    factsOf([good], { schedules: [{ triggerId: 's', everySeconds: 1, ticksMs: [3_000, 1_000] }] }),
    /schedule s made no job before 1970-01-01T00:00:03/,
  ],
  [
    'a worker that grew',
    factsOf([{ ...good, effects: [...good.effects, { kind: 'memory', pid: 1, rssMb: 300 }] }]),
    /a worker took 300 MB/,
  ],
];

describe('the judges of the chaos suite', () => {
  test('find nothing in good lives, one after the other under a limit of one', () => {
    const limits = [{ tenantId: null, definitionKey: null, perTenant: true, maxRunning: 1 }];
    const edges = [{ jobId: 'b', parentId: 'a', policy: 'cancel' }] as const;
    const schedules = [{ triggerId: 's', everySeconds: 1, ticksMs: [2_000, 1_000, 3_000] }];
    expect(violations(factsOf([good, next], { limits, edges, schedules, ...triggered({}) }))).toEqual([]);
  });

  /** Run 1 was lost, run 2 succeeded, and both did their work. */
  const lostOnce = (isKnownToHaveBegun: boolean, attemptCount: number, hadCompany = false) => {
    const twice = goodLife('a', 3, 4, { runNo: 2, attemptCount });
    const lost = goodLife('a', 1, 2, { status: 'queued' });
    return factsOf([
      {
        job: twice.job,
        moves: [...lost.moves, ...twice.moves],
        runs: [
          { jobId: 'a', runNo: 1, attempt: 'lost', isKnownToHaveBegun, hadCompany, usage: 'lost' },
          {
            jobId: 'a',
            runNo: 2,
            attempt: 'succeeded',
            isKnownToHaveBegun: true,
            hadCompany: false,
            usage: 'succeeded',
          },
        ],
        effects: [
          ...good.effects,
          ...good.effects.map((effect) => ({ ...effect, runNo: 2 }) as Life['effects'][0]),
        ],
      },
    ]);
  };

  test('accept that work was done twice where a lease was lost', () => {
    expect(violations(lostOnce(true, 1))).toEqual([]);
  });

  test('want a lost run to have spent an attempt if it is known to have begun, and only then', () => {
    expect(violations(lostOnce(false, 0))).toEqual([]);
    expect(violations(lostOnce(true, 0)).join()).toContain('has spent 0 attempts; its rows say 1');
    expect(violations(lostOnce(false, 1)).join()).toContain('has spent 1 attempts; its rows say 0');
  });

  test('want a lost run that had company to have spent none', () => {
    expect(violations(lostOnce(true, 0, true))).toEqual([]);
    expect(violations(lostOnce(true, 1, true)).join()).toContain('has spent 1 attempts; its rows say 0');
  });

  test.each(DOCTORED)('find %s', (_what, facts, said) => {
    expect(violations(facts).join('\n')).toMatch(said);
  });

  test('count limits each tenant by itself where the limit says so', () => {
    const other = goodLife('b', 1, 2, { tenantId: 'tenant-b' });
    const limit = { tenantId: null, definitionKey: 'chaos-free', maxRunning: 1 };
    expect(violations(factsOf([good, other], { limits: [{ ...limit, perTenant: true }] }))).toEqual([]);
    expect(violations(factsOf([good, other], { limits: [{ ...limit, perTenant: false }] }))).toHaveLength(1);
  });

  test('take the most that overlap at any one time', () => {
    const at = (fromUs: number, untilUs: number) => ({ fromUs, untilUs });
    expect(mostAtOnce([])).toBe(0);
    expect(mostAtOnce([at(1, 2), at(2, 3), at(3, 4)])).toBe(1);
    expect(mostAtOnce([at(1, 9), at(2, 3), at(2, 4), at(5, 6)])).toBe(3);
    expect(mostAtOnce([at(1, Number.POSITIVE_INFINITY), at(7, 8)])).toBe(2);
  });
});
