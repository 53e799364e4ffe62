import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FeedEvent } from '../../src/events/change.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openStage, type Stage, Watcher } from './stage.ts';

let database: TestDatabase;
let stage: Stage;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url);
});
afterAll(async () => {
  await stage.close();
  await database.drop();
});

const WRITERS = 16;
const RUN_MS = 3_000;
/** However slow the machine is: with fewer there would be little to mix up. */
const MIN_COMMITS = 150;

/** Transactions that write early and commit late, each at its own time; some end in nothing. */
async function writeUnevenly(
  ids: readonly string[],
  isOver: () => boolean,
  seed: number,
  onCommit: () => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: stage.url });
  await client.connect();
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The high bits: the low ones of such a sequence repeat.
    return Math.floor((state / 2 ** 32) * below);
  };
  while (!isOver()) {
    await client.query('begin');
    // In order, so that two writers never wait for each other in a circle.
    const chosen = [...new Set([next(ids.length), next(ids.length)])].sort((one, two) => one - two);
    for (const index of chosen) {
      await client.query('update millrace.jobs set priority = priority + 1 where id = $1', [ids[index]]);
    }
    if (next(3) === 0) {
      await client.query('insert into millrace.jobs (tenant_id, definition_id) values ($1, $2)', [
        stage.tenantId,
        stage.definitionId,
      ]);
    }
    if (next(2) === 0) await sleep(next(40));
    const isKept = next(5) > 0;
    await client.query(isKept ? 'commit' : 'rollback');
    if (isKept) onCommit();
  }
  await client.end();
}

/** A client whose connection is cut again and again, and that comes back with its last cursor. */
async function watchWithCuts(
  first: string,
  seen: Map<string, bigint>,
  reversals: string[],
  isOver: () => boolean,
): Promise<number> {
  let cursor = first;
  let cuts = 0;
  while (!isOver() && cuts < 50_000) {
    const stream: AsyncIterableIterator<FeedEvent, undefined> = stage.feed.subscribe(
      { tenantId: stage.tenantId },
      cursor,
    );
    const within = new Map<string, bigint>();
    let left = 1 + (cuts % 23);
    for await (const event of stream) {
      cursor = event.cursor ?? cursor;
      if (event.kind === 'job') {
        const { jobId, version } = event.change;
        if (version < (within.get(jobId) ?? 0n)) reversals.push(jobId);
        within.set(jobId, version);
        if (version > (seen.get(jobId) ?? 0n)) seen.set(jobId, version);
      }
      if (--left === 0 || isOver()) break;
    }
    cuts++;
  }
  return cuts;
}

test('of 16 writers with uneven commits every job arrives in its final version, and none goes back', async () => {
  const ids = await stage.insertJobs(120);
  const filter = { tenantId: stage.tenantId };
  const early = new Watcher(stage.feed.subscribe(filter));
  const slow = new Watcher(stage.feed.subscribe(filter), 15);
  await early.ready();
  // It starts where the initial state ends.
  const seen = new Map(ids.map((id) => [id, 1n]));
  const reversals: string[] = [];
  let isOver = false;
  const cutting = watchWithCuts(early.cursor, seen, reversals, () => isOver);
  const untilMs = performance.now() + RUN_MS;
  let commits = 0;
  const isWritten = (): boolean => performance.now() >= untilMs && commits >= MIN_COMMITS;
  const onCommit = (): void => {
    commits++;
  };
  const writing = Array.from({ length: WRITERS }, (_, writer) =>
    writeUnevenly(ids, isWritten, writer + 1, onCommit),
  );
  await sleep(RUN_MS / 2);
  const late = new Watcher(stage.feed.subscribe(filter));
  await Promise.all(writing);
  const versions = await stage.versions();
  for (const [name, watcher] of Object.entries({ early, late, slow })) {
    await watcher.until((one) => one.hasSeen(versions), `the final versions (${name})`);
    expect(watcher.reversals, name).toEqual([]);
    expect(watcher.kinds.filter((kind) => kind === 'resync')).toEqual([]);
  }
  await early.until(
    () => [...versions].every(([id, version]) => seen.get(id) === version),
    'the final versions (cut)',
  );
  isOver = true;
  await stage.touch(ids.slice(0, 1));
  const cuts = await cutting;
  expect(reversals).toEqual([]);
  await Promise.all([early, late, slow].map((watcher) => watcher.stop()));
  process.stdout.write(
    `${commits} commits, ${versions.size} jobs; events: early ${early.events.length}, slow ${slow.events.length}; ${cuts} cuts\n`,
  );
});

test('a stream cut after any event of a transaction over 10 jobs resumes with nothing missing', async () => {
  const ids = await stage.insertJobs(10, { correlation_id: "'cut'" });
  const filter = { tenantId: stage.tenantId, correlationId: 'cut' };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 11 }), { minLength: 1, maxLength: 12 }),
      async (cutsAfter) => {
        const watcher = new Watcher(stage.feed.subscribe(filter));
        await watcher.ready();
        await watcher.stop();
        let { cursor } = watcher;
        await stage.touch(ids);
        const versions = new Map([...(await stage.versions())].filter(([id]) => ids.includes(id)));
        const seen = new Map<string, bigint>();
        // Cut again and again, then left alone until it says that it has caught up.
        for (const cutAfter of [...cutsAfter, Number.POSITIVE_INFINITY]) {
          let left = cutAfter;
          for await (const event of stage.feed.subscribe(filter, cursor)) {
            if (event.kind === 'job') seen.set(event.change.jobId, event.change.version);
            if (event.cursor !== null) cursor = event.cursor;
            if (--left <= 0 || event.kind === 'checkpoint') break;
          }
        }
        expect(seen).toEqual(versions);
      },
    ),
    { numRuns: 25 },
  );
});

test('within one transaction all events but the last carry the cursor from before it', async () => {
  const ids = await stage.insertJobs(10, { correlation_id: "'promise'" });
  const watcher = new Watcher(stage.feed.subscribe({ tenantId: stage.tenantId, correlationId: 'promise' }));
  await watcher.ready();
  const readyCount = watcher.events.length;
  await stage.touch(ids);
  await watcher.until(({ events }) => events.length === readyCount + 10, 'ten events');
  const cursors = watcher.events.slice(readyCount).map((event) => event.cursor);
  expect(new Set(cursors.slice(0, 9)).size).toBe(1);
  expect(cursors[9]).not.toBe(cursors[8]);
  await watcher.stop();
});
