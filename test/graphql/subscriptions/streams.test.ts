import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openStream } from '../../support/sse.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket, type Received } from '../../support/ws.ts';

let api: TestApi;
let tenantId: string;
let admin: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  admin = await api.token(tenantId, 'tenant_admin');
});
afterAll(() => api.close());

const ENQUEUE = `mutation ($key: String) { enqueueJob(input: { definition: "echo", payload: { message: "hi" }, correlationId: $key }) {
  ... on EnqueueJobPayload { job { id uuid } } } }`;

async function enqueue(key: string): Promise<{ id: string; uuid: string }> {
  return (await api.query(admin, ENQUEUE, { key })).data.enqueueJob.job;
}

const run = (uuid: string) =>
  api.superuser.query(
    `update millrace.jobs set status = 'running', run_no = run_no + 1, lease_token = gen_random_uuid(), started_at = now(),
       lease_expires_at = now() + interval '1 hour', claimed_at = now(), claimed_by_worker = 'w' where id = $1`,
    [uuid],
  );
const progress = (uuid: string, percent: number) =>
  api.superuser.query(
    `insert into millrace.job_progress (job_id, tenant_id, run_no, percent, changed_xid) values ($1, $2, 1, $3, pg_current_xact_id())
     on conflict (job_id) do update set percent = $3, changed_xid = pg_current_xact_id()`,
    [uuid, tenantId, percent],
  );
const finish = (uuid: string) =>
  api.superuser.query(
    `update millrace.jobs set status = 'succeeded', result = '"done"', finished_at = now(), lease_token = null, lease_expires_at = null
     where id = $1`,
    [uuid],
  );

const CHANGES = `subscription ($key: String, $after: String, $statuses: [JobStatus!]) {
  jobChanges(filter: { correlationId: $key, statuses: $statuses }, after: $after) { __typename
    ... on JobUpdated { cursor job { id status version result progress { percent } } }
    ... on JobLeft { jobId cursor } ... on JobRemoved { jobId cursor } ... on FeedReady { isComplete cursor }
    ... on FeedCheckpoint { cursor } ... on ResyncRequired { reason } } }`;

const isReady = ({ data }: Received) => data?.jobChanges.__typename === 'FeedReady';
const shows = (status: string, percent?: number) => (message: Received) => {
  const job = message.data?.jobChanges?.job ?? message.data?.jobChanged;
  return job?.status === status && (percent === undefined || job.progress?.percent === percent);
};

async function noSubscribers(): Promise<void> {
  await waitFor(() => api.server.subscriberCount === 0, {
    describe: 'the feed to have no member',
  });
}

describe('jobChanges over WebSocket', () => {
  it('shows a job from queue to success with its progress, and nothing goes back', async () => {
    const socket = openSocket(api.server.graphqlUrl, { token: admin });
    const watching = socket.subscribe(CHANGES, { key: 'life' });
    await watching.next(isReady, 'FeedReady');
    const job = await enqueue('life');
    await watching.next(shows('QUEUED'), 'the queued job');
    await run(job.uuid);
    await watching.next(shows('RUNNING'), 'the running job');
    await progress(job.uuid, 40);
    await watching.next(shows('RUNNING', 40), 'its progress');
    await finish(job.uuid);
    const last = await watching.next(shows('SUCCEEDED'), 'the finished job');
    expect(last.data.jobChanges.job.result).toBe('done');
    const versions = watching.received.flatMap(({ data }) => data.jobChanges.job?.version ?? []).map(Number);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    await api.superuser.query('delete from millrace.jobs where id = $1', [job.uuid]);
    const removed = await watching.next(
      ({ data }) => data.jobChanges.__typename === 'JobRemoved',
      'JobRemoved',
    );
    expect(removed.data.jobChanges.jobId).toBe(job.id);
    await socket.close();
    await noSubscribers();
  });

  it('goes on after a cut with `after` and misses nothing', async () => {
    const first = openSocket(api.server.graphqlUrl, { token: admin });
    const watching = first.subscribe(CHANGES, { key: 'cut' });
    const { data } = await watching.next(isReady, 'FeedReady');
    await first.close();
    const jobs = await Promise.all([enqueue('cut'), enqueue('cut'), enqueue('cut')]);
    const second = openSocket(api.server.graphqlUrl, { token: admin });
    const resumed = second.subscribe(CHANGES, { key: 'cut', after: data.jobChanges.cursor });
    for (const { id } of jobs) {
      await resumed.next((message) => message.data.jobChanges.job?.id === id, `job ${id}`);
    }
    expect(resumed.received.some(isReady)).toBe(false);
    await second.close();
  });

  it('says JobLeft when a job leaves the statuses asked for', async () => {
    const socket = openSocket(api.server.graphqlUrl, { token: admin });
    const watching = socket.subscribe(CHANGES, { key: 'left', statuses: ['QUEUED'] });
    await watching.next(isReady, 'FeedReady');
    const job = await enqueue('left');
    await watching.next(shows('QUEUED'), 'the queued job');
    await run(job.uuid);
    const left = await watching.next(({ data }) => data.jobChanges.__typename === 'JobLeft', 'JobLeft');
    expect(left.data.jobChanges.jobId).toBe(job.id);
    await socket.close();
  });

  it('refuses a broken cursor and an unknown definition with a code, and the socket stays open', async () => {
    const socket = openSocket(api.server.graphqlUrl, { token: admin });
    const broken = socket.subscribe(CHANGES, { after: 'nonsense' });
    const refused = await broken.next(({ errors }) => errors !== undefined, 'an error');
    expect(refused.errors?.[0].extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'after' });
    const unknown = socket.subscribe(
      'subscription { jobChanges(filter: { definitions: ["x"] }) { __typename } }',
    );
    const message = await unknown.next(({ errors }) => errors !== undefined, 'an error');
    expect(message.errors?.[0].extensions).toMatchObject({ code: 'UNKNOWN_DEFINITION' });
    const syntax = socket.subscribe('subscription {');
    await waitFor(() => syntax.ended(), { describe: 'the syntax error' });
    const good = socket.subscribe(CHANGES, { key: 'none' });
    await good.next(isReady, 'FeedReady');
    expect(socket.closeCode()).toBeNull();
    await socket.close();
  });
});

describe('jobChanged and videoChanged', () => {
  it('jobChanged begins with the job as it is and, with untilFinal, ends with its end', async () => {
    const job = await enqueue('one');
    const socket = openSocket(api.server.graphqlUrl, { token: admin });
    const watching = socket.subscribe(
      'subscription ($id: ID!) { jobChanged(id: $id, untilFinal: true) { status progress { percent } } }',
      { id: job.id },
    );
    await watching.next(shows('QUEUED'), 'the queued job');
    await run(job.uuid);
    await watching.next(shows('RUNNING'), 'the running job');
    await finish(job.uuid);
    await watching.next(shows('SUCCEEDED'), 'the finished job');
    await waitFor(() => watching.ended(), { describe: 'the stream to end' });
    expect(watching.ended()).toBe('complete');
    await socket.close();
    await noSubscribers();
  });

  it('jobChanged ends with null when the job is deleted', async () => {
    const job = await enqueue('gone');
    const socket = openSocket(api.server.graphqlUrl, { token: admin });
    const watching = socket.subscribe('subscription ($id: ID!) { jobChanged(id: $id) { status } }', {
      id: job.id,
    });
    await watching.next(shows('QUEUED'), 'the queued job');
    await api.superuser.query('delete from millrace.jobs where id = $1', [job.uuid]);
    await watching.next(({ data }) => data?.jobChanged === null, 'null');
    await waitFor(() => watching.ended(), { describe: 'the stream to end' });
    await socket.close();
  });

  it('videoChanged follows the video, its jobs and their progress', async () => {
    const { rows } = await api.superuser.query(
      `insert into millrace.videos (tenant_id, title, original_key) values ($1, 'v', 'k') returning id`,
      [tenantId],
    );
    const id = rows[0].id;
    const socket = openSocket(api.server.graphqlUrl, { token: admin });
    const watching = socket.subscribe(
      'subscription ($id: ID!) { videoChanged(id: $id) { status progress { percent } jobs { status } } }',
      { id },
    );
    await watching.next(({ data }) => data?.videoChanged.status === 'AWAITING_UPLOAD', 'the video as it is');
    await api.superuser.query(`update millrace.videos set status = 'processing' where id = $1`, [id]);
    await watching.next(({ data }) => data?.videoChanged.status === 'PROCESSING', 'its new status');
    const job = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id) select $1, id, 'video', $2 from millrace.job_definitions
       where key = 'transcode' returning id`,
      [tenantId, id],
    );
    await watching.next(({ data }) => data?.videoChanged.jobs[0]?.status === 'QUEUED', 'its job');
    await run(job.rows[0].id);
    await progress(job.rows[0].id, 12);
    await watching.next(({ data }) => data?.videoChanged.progress?.percent === 12, 'its progress');
    await socket.close();
  });
});

describe('server-sent events', () => {
  it('carry the same stream, with pings, and free it the moment the client leaves', async () => {
    const stream = await openStream(api.server.graphqlUrl, admin, CHANGES, { key: 'sse' });
    await stream.next(isReady, 'FeedReady');
    await enqueue('sse');
    await stream.next(shows('QUEUED'), 'the queued job');
    // 12 s between pings; yoga shortens that when NODE_ENV is test.
    await waitFor(() => stream.commentCount() >= 2, { describe: 'a ping' });
    expect(api.server.subscriberCount).toBe(1);
    stream.stop();
    await noSubscribers();
  });

  it('a socket that is cut without a word frees its stream too', async () => {
    const socket = openSocket(api.server.graphqlUrl, { token: admin });
    const watching = socket.subscribe(CHANGES, { key: 'silent' });
    await watching.next(isReady, 'FeedReady');
    socket.client.terminate();
    await noSubscribers();
    await socket.close();
  });
});

describe('a stream that cannot be read', () => {
  it('ends with one masked error on both transports, and leaves the socket and its other operations alone', async () => {
    const socket = openSocket(api.server.graphqlUrl, { token: admin });
    const other = socket.subscribe(CHANGES, { key: 'other' });
    await other.next(isReady, 'FeedReady');
    await api.superuser.query('revoke select on millrace.jobs from millrace_api');
    try {
      const failing = socket.subscribe(CHANGES, { key: 'failing' });
      const stream = await openStream(api.server.graphqlUrl, admin, CHANGES, { key: 'failing' });
      await waitFor(() => failing.ended() === 'complete' && stream.isEnded(), { describe: 'both to end' });
      for (const received of [failing.received, stream.received]) {
        expect(received).toHaveLength(1);
        expect(received[0]?.errors).toMatchObject([
          {
            message: expect.stringMatching(/^Something went wrong here. Reference: /),
            extensions: { code: 'INTERNAL' },
          },
        ]);
      }
    } finally {
      await api.superuser.query('grant select on millrace.jobs to millrace_api');
    }
    expect(socket.closeCode()).toBeNull();
    expect(other.ended()).toBeNull();
    await enqueue('other');
    await other.next(shows('QUEUED'), 'a job on the other stream');
    await socket.close();
  });
});
