import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDoubleClaim } from './broken/double-claim.ts';
import { withoutFence } from './broken/no-fence.ts';
import { withoutUpkeep } from './broken/no-upkeep.ts';
import { withoutVisibilityTimeout } from './broken/no-visibility-timeout.ts';
import { openPostgresEngine, type PostgresEngine } from './postgres-engine.ts';
import { failuresOf } from './suite.ts';

let engine: PostgresEngine;
beforeAll(async () => {
  engine = await openPostgresEngine();
});
afterAll(() => engine?.close());

const CLAIMED_BY_ANOTHER = 'a run whose job another worker has claimed since settles nothing';
const LEASE_ENDED = 'a job whose lease has ended is given to another worker, and the lost run is on record';
const ONE_CLAIMER = 'no job is given to two claimers, however many claim at once';

describe('the queue contract is failed', () => {
  test('by an engine without a fence, for what a run that lost its job may still settle', async () => {
    const failures = await failuresOf(withoutFence(engine), []);
    expect([...failures.keys()]).toEqual([
      CLAIMED_BY_ANOTHER,
      'a lease with another token or run number is nobody’s',
    ]);
    expect(failures.get(CLAIMED_BY_ANOTHER)?.message).toContain("expected 'settled' to be 'notOwner'");
  });

  test('by an engine without a visibility timeout, for the job that never comes back', async () => {
    const failures = await failuresOf(withoutVisibilityTimeout(engine), []);
    expect([...failures.keys()]).toEqual([
      // These have to lose a lease before they can ask their own question.
      CLAIMED_BY_ANOTHER,
      'a run that has lost its job learns it from every verb that asks',
      LEASE_ENDED,
      'a settled run sets the count of lost leases back, a hand-back does not',
    ]);
    expect(failures.get(LEASE_ENDED)?.message).toContain('the rescue finds it');
  });

  test('by an engine whose concurrent claims find the same jobs, for just that', async () => {
    const failures = await failuresOf(withDoubleClaim(engine), []);
    expect([...failures.keys()]).toEqual([ONE_CLAIMER]);
  });

  test('by an engine that neither promotes nor deletes jobs, for just that', async () => {
    const failures = await failuresOf(withoutUpkeep(engine), []);
    expect([...failures.keys()]).toEqual([
      'a delayed job is made ready once its time has come, and once',
      'in a backlog of due jobs each lane has its share',
      'a finished job is deleted when it has been kept long enough, a newer one and a dead letter are not',
    ]);
  });

  test('by nobody else: the engine that the broken ones wrap passes the same cases', async () => {
    expect(await failuresOf(engine, [])).toEqual(new Map());
  });
});
