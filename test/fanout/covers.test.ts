import { afterAll, beforeAll, expect, test } from 'vitest';
import { feedTablesOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import type { FeedEvent } from '../../src/events/change.ts';
import { createFeed, type Feed } from '../../src/events/feed.ts';
import type { JobSubscription } from '../../src/events/job-subscription.ts';
import { openStage, type Stage } from '../events/stage.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { silentLog } from '../support/queue.ts';

let database: TestDatabase;
let stage: Stage;
/** Its tail does not move by itself while a test looks on: no notification, and no look for an hour. */
let still: Feed;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url);
  still = createFeed({
    tables: feedTablesOf(registeredDomains({ echo: true })),
    database: stage.database,
    listener: null,
    log: silentLog,
    pollIntervalMs: 3_600_000,
  });
  still.start();
});
afterAll(async () => {
  await still.stop();
  await stage.close();
  await database.drop();
});

/** Takes the state that a stream begins with. */
async function begin(source: JobSubscription): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  while (!source.isCaughtUp && (await source.ready())) events.push(...source.take(200));
  return events;
}

test('a stream that has read ahead of the tail does not take over from one that was read before', async () => {
  const [jobId = ''] = await stage.insertJobs(1);
  const filter = { tenantId: stage.tenantId, ids: [jobId] };
  const early = still.subscribe(filter);
  await begin(early);
  await stage.touch([jobId]);
  // It was sent the change with its state, so the tail will not bring it there again; those of the early
  // stream have yet to get it.
  const late = still.subscribe(filter);
  await begin(late);
  expect(late.covers(early)).toBe(false);
  expect(early.covers(late)).toBe(true);
  early.end();
  late.end();
});
