import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobError, measured } from '../support/queue.ts';
import { claimOne, enqueueOne } from './case.ts';
import { openPostgresEngine, type PostgresEngine } from './postgres-engine.ts';

let engine: PostgresEngine;
beforeAll(async () => {
  engine = await openPostgresEngine();
});
afterAll(() => engine?.close());

/** How a run may end without ending its job. */
const ENDINGS = ['retry', 'timeout', 'snooze', 'handBack', 'lost', 'operatorRetry'] as const;
type Ending = (typeof ENDINGS)[number];

interface Counters {
  runNo: number;
  attemptCount: number;
  snoozeCount: number;
  lostLeaseCount: number;
  attempts: { runNo: number; status: string }[];
}

/** The rules of the counters, as the design says them. */
function expected(endings: readonly Ending[]): Counters {
  const counters: Counters = { runNo: 0, attemptCount: 0, snoozeCount: 0, lostLeaseCount: 0, attempts: [] };
  for (const ending of endings) {
    counters.runNo++;
    const { runNo } = counters;
    const spends = ending === 'retry' || ending === 'timeout' || ending === 'lost';
    if (spends) counters.attemptCount++;
    if (ending === 'snooze') counters.snoozeCount++;
    if (ending === 'lost') counters.lostLeaseCount++;
    else if (ending !== 'handBack') counters.lostLeaseCount = 0;
    if (ending === 'operatorRetry') Object.assign(counters, { attemptCount: 0, snoozeCount: 0 });
    const status = {
      retry: 'failed',
      timeout: 'timeout',
      lost: 'lost',
      operatorRetry: 'failed',
      handBack: 'interrupted',
    };
    if (ending in status) counters.attempts.push({ runNo, status: status[ending as keyof typeof status] });
  }
  return counters;
}

async function play(ending: Ending, tenantId: string, id: string): Promise<void> {
  const { queue } = engine;
  await engine.makeDue(id);
  const claimed = await claimOne(engine);
  const error = jobError();
  if (ending === 'lost') {
    await engine.expireLease(id);
    await queue.rescue(10);
  } else if (ending === 'operatorRetry') {
    const finish = { kind: 'final', settlement: { status: 'failed', error } } as const;
    await queue.finish(claimed, finish, measured());
    await queue.retry(tenantId, id);
  } else {
    const finish = {
      retry: { kind: 'retry', delaySeconds: 0, error },
      timeout: { kind: 'retry', delaySeconds: 0, error, timedOut: true },
      snooze: { kind: 'snooze', delaySeconds: 0, reason: 'later' },
      handBack: { kind: 'handBack' },
    } as const;
    expect(await queue.finish(claimed, finish[ending], measured())).toBe('settled');
  }
}

test('attempts, runs, snoozes and lost leases are counted as the rules say, in whatever order runs end', async () => {
  const endings = fc.array(fc.constantFrom(...ENDINGS), { minLength: 1, maxLength: 8 });
  const tenantId = await engine.makeTenant();
  await fc.assert(
    fc.asyncProperty(endings, async (list) => {
      await engine.clear();
      const id = await enqueueOne(engine, tenantId, { maxAttempts: 100 });
      for (const ending of list) await play(ending, tenantId, id);
      const { attempts, ...counters } = expected(list);
      expect(await engine.look(id)).toMatchObject({ ...counters, status: 'queued' });
      expect(await engine.attempts(id)).toEqual(attempts);
    }),
    { numRuns: 15 },
  );
});
