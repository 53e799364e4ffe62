import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StatusCounts, SummaryEvent } from '../../src/events/job-summary.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { CLAIM, openStage, type Stage, SUCCEED } from './stage.ts';

let database: TestDatabase;
let stage: Stage;
let tenantId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url);
});
beforeEach(async () => {
  tenantId = await stage.makeTenant();
});
afterAll(async () => {
  await stage.close();
  await database.drop();
});

async function insertJobs(count: number, ofTenant = tenantId): Promise<string[]> {
  const { rows } = await stage.superuser.query(
    'insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, $3::integer) returning id',
    [ofTenant, stage.definitionId, count],
  );
  return rows.map((row) => row.id);
}

/** Takes all that comes. */
class CountWatcher {
  readonly events: SummaryEvent[] = [];
  failure: unknown;
  readonly #stream: AsyncIterableIterator<SummaryEvent, undefined>;
  readonly #done: Promise<void>;

  constructor(sinceSeconds?: number, ofTenant = tenantId) {
    const stream = stage.feed.subscribeSummary(ofTenant, sinceSeconds);
    this.#stream = stream;
    this.#done = (async () => {
      for await (const event of stream) this.events.push(event);
    })().catch((error: unknown) => {
      this.failure = error;
    });
  }

  get counts(): StatusCounts | undefined {
    return this.events.at(-1)?.summary.counts;
  }

  async until(counts: Partial<StatusCounts>): Promise<void> {
    const wanted = Object.entries(counts);
    const describe = (): string => `${JSON.stringify(counts)}; now ${JSON.stringify(this.counts)}`;
    await waitFor(() => wanted.every(([status, count]) => this.counts?.[status as 'queued'] === count), {
      describe,
    });
  }

  async stop(): Promise<void> {
    await this.#stream.return?.();
    await this.#done;
  }
}

describe('the summary of a tenant', () => {
  test('counts what is active and what ended within the window, by status and by definition', async () => {
    const ids = await insertJobs(6);
    await insertJobs(3, stage.tenantId);
    await stage.superuser.query('update millrace.jobs set pending_dependencies = 1 where id = $1', [ids[0]]);
    await stage.superuser.query(CLAIM, [ids.slice(1, 5)]);
    await stage.superuser.query(SUCCEED, [ids.slice(1, 3)]);
    await stage.superuser.query(SUCCEED.replace('now()', "now() - interval '2 hours'"), [ids.slice(3, 4)]);
    const counts = { queued: 2, running: 1, succeeded: 2, failed: 0, canceled: 0, dead_letter: 0 };
    const summary = await stage.feed.readSummary(tenantId);
    expect(summary).toMatchObject({ sinceSeconds: 3_600, isComplete: true, counts });
    expect(summary.definitions.map((one) => one.counts)).toEqual([counts]);
    expect(summary.countedAt.getTime() - summary.finishedSince.getTime()).toBe(3_600_000);
    expect((await stage.feed.readSummary(tenantId, 21_600)).counts.succeeded).toBe(3);
  });

  test('is refused for a window that is not one of those that there are, which the error names', async () => {
    const refusal = {
      code: 'InvalidArgument',
      message: 'sinceSeconds is 61; allowed: one of 60, 300, 900, 3600, 21600, 86400.',
      details: { field: 'sinceSeconds', allowed: 'one of 60, 300, 900, 3600, 21600, 86400' },
    };
    expect(() => stage.feed.subscribeSummary(tenantId, 61)).toThrow(expect.objectContaining(refusal));
    await expect(stage.feed.readSummary(tenantId, 61)).rejects.toMatchObject(refusal);
  });

  test('is counted once for all who ask at the same time', async () => {
    const before = stage.feed.summaryCount;
    const answers = await Promise.all(Array.from({ length: 50 }, () => stage.feed.readSummary(tenantId)));
    expect(stage.feed.summaryCount - before).toBe(1);
    expect(new Set(answers).size).toBe(1);
  });
});

describe('a stream of summaries', () => {
  test('begins with the counts of now and follows a job through its life; its progress sends nothing', async () => {
    const watcher = new CountWatcher();
    await watcher.until({ queued: 0, running: 0 });
    const ids = await insertJobs(1);
    await watcher.until({ queued: 1 });
    await stage.superuser.query(CLAIM, [ids]);
    await watcher.until({ queued: 0, running: 1 });
    const counted = stage.feed.summaryCount;
    await stage.superuser.query(
      'insert into millrace.job_progress (job_id, tenant_id, run_no, percent) values ($1, $2, 1, 50)',
      [ids[0], tenantId],
    );
    // A change elsewhere that is committed later: when it has been seen, so has the progress.
    const other = await stage.makeTenant();
    const elsewhere = new CountWatcher(undefined, other);
    await elsewhere.until({ queued: 0 });
    await insertJobs(1, other);
    await elsewhere.until({ queued: 1 });
    expect(stage.feed.summaryCount - counted).toBe(2);
    await stage.superuser.query(SUCCEED, [ids]);
    await watcher.until({ running: 0, succeeded: 1 });
    await stage.superuser.query('delete from millrace.jobs where id = any ($1)', [ids]);
    await watcher.until({ succeeded: 0 });
    await Promise.all([watcher.stop(), elsewhere.stop()]);
  });

  test('a hundred of one tenant share each counting, however many changes come, and another tenant has no part in it', async () => {
    const watchers = Array.from(
      { length: 100 },
      (_, index) => new CountWatcher(index % 2 === 0 ? 60 : 3_600),
    );
    for (const watcher of watchers) await watcher.until({ queued: 0 });
    const stranger = new CountWatcher(undefined, await stage.makeTenant());
    await stranger.until({ queued: 0 });
    const before = stage.feed.summaryCount;
    const startedMs = performance.now();
    for (let i = 0; i < 200; i++) await insertJobs(1);
    for (const watcher of watchers) await watcher.until({ queued: 200 });
    const atMost = (performance.now() - startedMs) / 500 + 2;
    expect(stage.feed.summaryCount - before).toBeLessThanOrEqual(atMost);
    expect(stranger.events).toHaveLength(1);
    expect(stage.feed.memberCount).toBe(101);
    await Promise.all([...watchers, stranger].map((watcher) => watcher.stop()));
  });

  test('a client that joins others gets what they have at once, without a counting', async () => {
    const first = new CountWatcher();
    await insertJobs(1);
    await first.until({ queued: 1 });
    const before = stage.feed.summaryCount;
    const second = new CountWatcher();
    await second.until({ queued: 1 });
    expect(stage.feed.summaryCount).toBe(before);
    await Promise.all([first.stop(), second.stop()]);
  });

  test('nothing is counted while nobody watches, and a stream that is left frees everything', async () => {
    const untouched = stage.feed.subscribeSummary(tenantId);
    await untouched.return?.();
    expect(await untouched.next()).toEqual({ done: true, value: undefined });
    const watcher = new CountWatcher();
    await watcher.until({ queued: 0 });
    await watcher.stop();
    expect(stage.feed.memberCount).toBe(0);
    await waitFor(() => stage.feed.position === null, { describe: 'the tail to rest' });
    const before = stage.feed.summaryCount;
    await insertJobs(5);
    // Who comes now gets the current state; and that was the only counting.
    const later = new CountWatcher();
    await later.until({ queued: 5 });
    expect(stage.feed.summaryCount - before).toBe(1);
    await later.stop();
  });

  test('of what is not taken in time only the newest is kept', async () => {
    const stream = stage.feed.subscribeSummary(tenantId);
    expect((await stream.next()).value?.summary.counts.queued).toBe(0);
    const watcher = new CountWatcher();
    for (let count = 1; count <= 3; count++) {
      await insertJobs(1);
      await watcher.until({ queued: count });
    }
    expect((await stream.next()).value?.summary.counts.queued).toBe(3);
    await Promise.all([stream.return?.(), watcher.stop()]);
  });

  test('goes on after every connection was cut, with the counts of then', async () => {
    const watcher = new CountWatcher();
    await watcher.until({ queued: 0 });
    await stage.superuser.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name like 'millrace%' and datname = current_database()",
    );
    await insertJobs(2);
    await watcher.until({ queued: 2 });
    expect(watcher.failure).toBeUndefined();
    await watcher.stop();
  });

  test('that cannot be counted for good ends with the error, and frees its place', async () => {
    await stage.superuser.query('revoke select on millrace.jobs from millrace_api');
    try {
      const stream = stage.feed.subscribeSummary(tenantId);
      await expect(stream.next()).rejects.toMatchObject({ code: '42501' });
      expect(await stream.next()).toEqual({ done: true, value: undefined });
      expect(stage.feed.memberCount).toBe(0);
      await expect(stage.feed.readSummary(tenantId)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await stage.superuser.query('grant select on millrace.jobs to millrace_api');
    }
    const later = new CountWatcher();
    await later.until({ queued: 0 });
    await later.stop();
  });
});
