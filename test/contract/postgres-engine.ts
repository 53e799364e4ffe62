import type { JobStatus } from '../../src/core/job.ts';
import { DEFAULT_MAX_RESULT_BYTES, type Lease } from '../../src/core/queue.ts';
import { WATCH_CHANNEL, WORK_CHANNEL } from '../../src/db/channels.ts';
import { createListener } from '../../src/db/listener.ts';
import { definitionsOf, feedTablesOf } from '../../src/domains/domain.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import { createFeed, type Feed } from '../../src/events/feed.ts';
import { openRemoteWork } from '../../src/open-remote-work.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';
import { Watcher } from '../events/stage.ts';
import { openTestQueue, silentLog, type TestQueue } from '../support/queue.ts';
import { contractDefinitions } from './definitions.ts';
import type { Engine, SubjectCase, Watch } from './engine.ts';

/** The engine on Postgres, with what its broken copies need. */
export interface PostgresEngine extends Engine {
  /** The lease that a job runs under now, whatever holds it; null when it does not run. */
  currentLease(jobId: string): Promise<Lease | null>;
}

export async function openPostgresEngine(): Promise<PostgresEngine> {
  const test = await openTestQueue(
    [...contractDefinitions, ...definitionsOf(registeredDomains({ echo: false }))],
    20,
  );
  const { superuser, url, db } = test;
  const listener = createListener({
    connectionString: url,
    channels: [WATCH_CHANNEL, WORK_CHANNEL],
    log: silentLog,
  });
  await listener.start();
  const feed = createFeed({
    tables: feedTablesOf(registeredDomains({ echo: true })),
    database: db,
    listener,
    log: silentLog,
  });
  feed.start();
  const domains = registeredDomains({ echo: false });
  const remote = openRemoteWork({
    database: db,
    notifier: test.notifier,
    listener,
    pipelines: pipelinesOf(domains),
    domains,
    config: { maxResultBytes: DEFAULT_MAX_RESULT_BYTES },
    log: silentLog,
  });
  const row = async (sql: string, jobId: string) => (await superuser.query(sql, [jobId])).rows[0];
  return {
    queue: test.queue,
    remote,
    definitionId: (key) => test.definitionId(key),
    makeTenant: () => test.makeTenant(),
    clear: async () => {
      await superuser.query('delete from millrace.jobs');
    },
    look: async (jobId) => {
      const seen = await row(
        `select status, attempt_count, run_no, lost_lease_count, snooze_count, reason, last_error, version,
                extract(epoch from scheduled_for - clock_timestamp())::float8 as wait_seconds
         from millrace.jobs where id = $1`,
        jobId,
      );
      return {
        status: seen.status,
        attemptCount: seen.attempt_count,
        runNo: seen.run_no,
        lostLeaseCount: seen.lost_lease_count,
        snoozeCount: seen.snooze_count,
        waitSeconds: seen.wait_seconds,
        reason: seen.reason,
        errorType: seen.last_error?.type ?? null,
        version: BigInt(seen.version),
      };
    },
    attempts: async (jobId) => {
      const { rows } = await superuser.query(
        'select attempt_no, status from millrace.job_attempts where job_id = $1 order by attempt_no',
        [jobId],
      );
      return rows.map((seen) => ({ runNo: seen.attempt_no, status: seen.status }));
    },
    expireLease: async (jobId) => {
      await superuser.query(
        "update millrace.jobs set lease_expires_at = clock_timestamp() - interval '1 second' where id = $1",
        [jobId],
      );
    },
    letEndedAgo: (jobId, seconds) =>
      past(superuser, jobId, `finished_at = now() - interval '${seconds} seconds'`),
    letComeDue: (jobId) => past(superuser, jobId, 'scheduled_for = now()'),
    makeDue: async (jobId) => {
      await superuser.query('update millrace.jobs set scheduled_for = clock_timestamp() where id = $1', [
        jobId,
      ]);
    },
    currentLease: async (jobId) => {
      const seen = await row('select run_no, lease_token from millrace.jobs where id = $1', jobId);
      return seen?.lease_token == null ? null : { jobId, runNo: seen.run_no, token: seen.lease_token };
    },
    inTransaction: (tenantId, work) => test.db.transaction({ role: 'api', tenantId }, (tx) => work(tx)),
    makeSubject: (tenantId) => makeVideo(test, tenantId),
    watch: (tenantId) => watchTenant(feed, tenantId),
    close: async () => {
      remote.close();
      await feed.stop();
      await listener.stop();
      await test.close();
    },
  };
}

/** Changes a time of a job as if it had passed: past the triggers. */
async function past(superuser: TestQueue['superuser'], jobId: string, change: string): Promise<void> {
  await superuser.query('begin');
  await superuser.query('set local session_replication_role = replica');
  await superuser.query(`update millrace.jobs set ${change} where id = $1`, [jobId]);
  await superuser.query('commit');
}

async function makeVideo({ superuser }: TestQueue, tenantId: string): Promise<SubjectCase> {
  const { rows } = await superuser.query(
    `insert into millrace.videos (tenant_id, title, status, original_key)
     values ($1, 'A video', 'processing', 'videos/original/' || gen_random_uuid() || '/master.mp4') returning id`,
    [tenantId],
  );
  const videoId: string = rows[0].id;
  const facts = {
    playlistKey: `videos/proxy/${videoId}/index.m3u8`,
    posterKey: `thumbs/${videoId}/poster.jpg`,
    durationMs: 1000,
    widthPx: 640,
    heightPx: 360,
    fps: 30,
    segmentCount: 1,
  };
  return {
    subject: { type: 'video', id: videoId },
    definitionKey: 'transcode',
    payload: { video_id: videoId, s3_original_path: `videos/original/${videoId}/master.mp4` },
    goodResult: facts,
    // Wider than an integer column.
    refusedResult: { ...facts, widthPx: 1e15 },
    state: async () =>
      (await superuser.query('select status from millrace.videos where id = $1', [videoId])).rows[0].status,
    doneState: 'transcoded',
    failedState: 'failed',
  };
}

async function watchTenant(feed: Feed, tenantId: string): Promise<Watch> {
  const watcher = new Watcher(feed.subscribe({ tenantId }));
  await watcher.ready();
  const changes = (jobId: string) =>
    watcher.events.flatMap((event) =>
      event.kind === 'job' && event.change.jobId === jobId ? [event.change] : [],
    );
  return {
    statuses: (jobId): JobStatus[] => changes(jobId).map(({ status }) => status),
    version: (jobId) => watcher.versions.get(jobId) ?? 0n,
    reversed: () => watcher.reversals,
    stop: () => watcher.stop(),
  };
}
