import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerOfOperation } from '../../../src/access/admissions.ts';
import { loadConfig } from '../../../src/config/config.ts';
import type { Actor, Role } from '../../../src/core/actor.ts';
import { PermanentError } from '../../../src/core/errors.ts';
import { done } from '../../../src/core/outcome.ts';
import { definitionsOf } from '../../../src/domains/domain.ts';
import { registeredDomains } from '../../../src/domains/registered.ts';
import { retryJob } from '../../../src/jobs/retry-job.ts';
import { PostgresProducerQueue } from '../../../src/queue/producer-verbs.ts';
import { pipelineLogKey } from '../../../src/storage/pipeline-log-key.ts';
import { createS3Store } from '../../../src/storage/s3/s3-store.ts';
import { originalKey } from '../../../src/storage/video-keys.ts';
import type { Handler, HandlerContext } from '../../../workers/handler.ts';
import { requireMedia } from '../../../workers/handlers/videos/require-media.ts';
import { pipelineLogsDuty } from '../../../workers/maintenance/pipeline-logs.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import { register } from '../../../workers/registry.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { testPipelines } from '../../support/pipelines.ts';
import { openTestQueue, silentLog, type TestQueue } from '../../support/queue.ts';
import { startTestS3, type TestS3 } from '../../support/s3-server.ts';
import { waitFor } from '../../support/wait.ts';
import { turn } from './support/turn.ts';

// The "Non-Retryable Errors" and "Retry Policy", through a whole worker with its storage in a bucket: each
// kind is what Postgres, the bucket or the worker itself really says.

const STAGES = registeredDomains({ echo: false }).filter(({ name }) =>
  ['videos', 'clips', 'search'].includes(name),
);
// Clips of calls follow the policy of calls.
const definitions = definitionsOf(STAGES).filter(({ key, hasLogFile }) => hasLogFile && key !== 'call_clip');

let s3: TestS3;
let q: TestQueue;
let tenantId: string;
let worker: RunningWorker;
let store: ReturnType<typeof createS3Store>;
let refuseFiles = false;
/** What the handler of every stage does, by the video or clip that its job is about. */
const doings = new Map<string, (context: HandlerContext) => Promise<unknown>>();

beforeAll(async () => {
  [s3, q] = await Promise.all([startTestS3(), openTestQueue(definitions)]);
  tenantId = await q.makeTenant();
  store = createS3Store(s3.settings);
  s3.trouble(({ url = '', method }) => {
    if (url.includes('/denied') || (refuseFiles && method === 'PUT' && url.includes('/logs/')))
      return 'denied';
    return url.includes('/away') ? 'break' : null;
  });
  const handler: Handler = async (context) => {
    context.log.info('at work', { password: 'not to be seen', run: context.runNo });
    return done(await doings.get(context.subject?.id ?? '')?.(context));
  };
  const config = loadConfig({ ...s3.env, MILLRACE_LOG_LEVEL: 'silent', MILLRACE_PIPELINE_LOGS: 'true' });
  worker = await openWorker({
    awaits: new AbortController().signal,
    config,
    databaseUrl: q.url,
    registrations: definitions.map((definition) => register(definition, async () => handler)),
  });
});
afterAll(async () => {
  await worker.stop(0);
  store.close?.();
  await q.close();
  await s3.close();
});

/** The least payload of a stage that its schema takes. */
function payloadOf(key: string, id: string): object {
  const original = originalKey(id);
  switch (key) {
    case 'clip_generate':
      return { video_id: id, clip_id: id, t_start: 0, t_end: 1, s3_original_path: original };
    case 'fetch_original':
      return { video_id: id, s3_original_path: original, url: 'https://example.com/a.mp4' };
    case 'transcode':
    case 'sample':
      return { video_id: id, s3_original_path: original };
    case 'ocr':
      return { video_id: id, frame_paths: [`frames/${id}/0.jpg`] };
    default:
      return { video_id: id };
  }
}

async function start(
  key: string,
  doing: (context: HandlerContext) => Promise<unknown>,
  payload?: object,
): Promise<string> {
  const id = randomUUID();
  doings.set(id, doing);
  const [job] = await q.queue.enqueue(tenantId, [
    {
      definitionKey: key,
      payload: payload ?? payloadOf(key, id),
      subject: { type: key === 'clip_generate' ? 'clip' : 'video', id },
    },
  ]);
  return job?.id ?? '';
}

/** The job once its first run is settled. */
function afterRun(jobId: string, runNo = 1): Promise<Record<string, unknown>> {
  let seen: Record<string, unknown> = {};
  return waitFor(
    async () => {
      seen = await q.job(jobId);
      return seen['run_no'] === runNo && seen['status'] !== 'running' && seen;
    },
    { describe: () => `a run to be settled: ${JSON.stringify(seen)}` },
  );
}

/** Runs a statement on a connection of its own, as a login or a role. */
async function sql(text: string, { role = 'postgres', login = '' } = {}): Promise<void> {
  const url = new URL(q.url);
  if (login !== '') url.username = login;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (login === '' && role !== 'postgres') await client.query(`set role ${role}`);
    await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const FORBIDDEN = 'delete from millrace.audit_log';
const FOREIGN = `insert into millrace.videos (tenant_id, title, status, original_key)
  values (gen_random_uuid(), 'nobody’s', 'uploaded', 'videos/original/x')`;

/** One job of every stage that does this, each after its first run. */
async function inEveryStage(
  doing: (context: HandlerContext) => Promise<unknown>,
): Promise<readonly Record<string, unknown>[]> {
  const ids = await Promise.all(definitions.map(({ key }) => start(key, doing)));
  return await Promise.all(ids.map((id) => afterRun(id)));
}

describe('in every stage of the pipeline', () => {
  test.each([
    [
      'S3ObjectNotFound',
      'no such object',
      ({ tools }: HandlerContext) => tools.storage.get('frames/gone.jpg'),
    ],
    ['StorageDenied', 'a refusal of the bucket', ({ tools }: HandlerContext) => tools.storage.stat('denied')],
    ['ConstraintViolation', 'a constraint of the database', () => sql(FOREIGN)],
    ['DatabaseDenied', 'a permission that is missing', () => sql(FORBIDDEN, { role: 'millrace_api' })],
    ['DatabaseDenied', 'a login that is refused', () => sql('select', { login: 'nobody_at_all' })],
  ])('%s, from %s, fails the job at once', async (type, _why, doing) => {
    for (const job of await inEveryStage(doing))
      expect(job).toMatchObject({
        status: 'failed',
        attempt_count: 1,
        last_error: { type, message: expect.any(String), timestamp: expect.any(String), retryCount: 0 },
      });
  });

  test('a payload that does not fit fails the job before anything is called', async () => {
    const ids = await Promise.all(
      definitions.map(({ key }) => start(key, () => Promise.reject(new Error('called')), { video_id: 'x' })),
    );
    for (const id of ids)
      expect(await afterRun(id)).toMatchObject({
        status: 'failed',
        last_error: { type: 'InvalidPayload', message: expect.stringContaining('payload.video_id') },
      });
  });

  test.each([
    [
      'StorageUnavailable',
      'a bucket that is away',
      ({ tools }: HandlerContext) => tools.storage.stat('away'),
    ],
    ['DatabaseError', 'a connection that broke', () => sql('select pg_terminate_backend(pg_backend_pid())')],
    ['ToolMissing', 'a machine without ffmpeg', async () => requireMedia(null)],
  ])('%s, from %s, is tried again after about a minute', async (type, _why, doing) => {
    for (const job of await inEveryStage(doing)) {
      expect(job).toMatchObject({ status: 'queued', attempt_count: 1, last_error: { type, retryCount: 0 } });
      const { rows } = await q.superuser.query(
        'select finished_at from millrace.job_attempts where job_id = $1',
        [job['id']],
      );
      const waitMs = (job['scheduled_for'] as Date).getTime() - rows[0].finished_at.getTime();
      // The video system's contract: a minute, 20 % more or less.
      expect(waitMs).toBeGreaterThan(47_000);
      expect(waitMs).toBeLessThan(73_000);
    }
  });
});

describe('a stage of another program, which ends with what no stage of ours gives,', () => {
  test.each([
    ['transcode', { playlistKey: 'p', posterKey: 't', durationMs: 'long' }, 'durationMs is "long"'],
    ['transcode', null, 'the result is null'],
    ['sample', { manifestKey: 'm', frameCount: 1e12, timesMs: null }, 'frameCount is 1000000000000'],
    ['clip_generate', { objectKey: 'o' }, 'sizeBytes is missing'],
  ])('%s fails by its own permanent error: %j', async (key, result, problem) => {
    const bad = await start(key, async () => result);
    expect(await afterRun(bad)).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      last_error: { type: 'InvalidResult', message: expect.stringContaining(`${key} ended with a result`) },
    });
    expect((await q.job(bad))['last_error']).toMatchObject({ message: expect.stringContaining(problem) });
  });

  test('is left alone where its subject has no UUID, whether it succeeds, fails or is canceled', async () => {
    const stages = definitions.map(({ key }) => key);
    const ended = async (name: string, doing: () => Promise<unknown>) => {
      const ids = stages.map(async (key) => {
        const subject = { type: key === 'clip_generate' ? 'clip' : 'video', id: `film-${name}-${key}` };
        doings.set(subject.id, doing);
        const [job] = await q.queue.enqueue(tenantId, [
          { definitionKey: key, payload: payloadOf(key, randomUUID()), subject },
        ]);
        return (await afterRun(job?.id ?? ''))['status'];
      });
      return new Set(await Promise.all(ids));
    };
    expect(await ended('good', async () => ({ frames: 'many' }))).toEqual(new Set(['succeeded']));
    const broken = () => Promise.reject(new PermanentError('Broken', 'no frames today'));
    expect(await ended('bad', broken)).toEqual(new Set(['failed']));
    const waiting = await q.queue.enqueue(
      tenantId,
      stages.map((definitionKey) => ({
        definitionKey,
        payload: payloadOf(definitionKey, randomUUID()),
        subject: { type: definitionKey === 'clip_generate' ? 'clip' : 'video', id: `film-${definitionKey}` },
        scheduledFor: new Date(Date.now() + 3_600_000),
      })),
    );
    for (const { id } of waiting) await q.queue.cancel(tenantId, id, 'user:max', 'not today');
    for (const { id } of waiting) expect(await q.job(id)).toMatchObject({ status: 'canceled' });
  });
});

describe('a retry by hand', () => {
  const actor = (role: Role): Actor => ({
    tenantId,
    role,
    name: `user:${role}`,
    expiresAt: null,
    credentialId: null,
    scopes: null,
  });
  const retry = (role: Role, id: string): Promise<void> => {
    const queue = new PostgresProducerQueue(q.db, q.notifier, {
      pipelines: testPipelines,
      maxPayloadBytes: 1_000_000,
    });
    return retryJob({ db: q.db, queue }, callerOfOperation(actor(role)), id);
  };

  test('puts the stage that failed to work again, and the pipeline goes on from there', async () => {
    const { rows } = await q.superuser.query(
      `insert into millrace.videos (id, tenant_id, title, status, original_key)
       values (gen_random_uuid(), $1, 'A talk', 'uploaded', 'videos/original/x') returning id`,
      [tenantId],
    );
    const videoId: string = rows[0].id;
    const video = async () =>
      (await q.superuser.query('select status, error from millrace.videos where id = $1', [videoId])).rows[0];
    doings.set(videoId, async ({ definitionKey, runNo, tools }) => {
      if (definitionKey !== 'transcode') throw new PermanentError('Broken', 'no frames today');
      if (runNo === 1) await tools.storage.get(originalKey(videoId));
      return { playlistKey: 'p', posterKey: 't', durationMs: 1000, widthPx: 16, heightPx: 16, fps: 25 };
    });
    const [first] = await q.queue.enqueue(tenantId, [
      {
        definitionKey: 'transcode',
        payload: payloadOf('transcode', videoId),
        subject: { type: 'video', id: videoId },
      },
    ]);
    const id = first?.id ?? '';
    expect(await afterRun(id)).toMatchObject({ status: 'failed', last_error: { type: 'S3ObjectNotFound' } });
    expect(await video()).toMatchObject({
      status: 'failed',
      error: { type: 'S3ObjectNotFound', message: expect.stringContaining('No object') },
    });

    await expect(retry('member', id)).rejects.toMatchObject({ code: 'Forbidden' });
    await retry('tenant_admin', id);
    expect(await afterRun(id, 2)).toMatchObject({ status: 'succeeded', last_error: null });
    // The next stage was enqueued with the end of this one, and failed in its turn.
    await expect
      .poll(video)
      .toMatchObject({ status: 'failed', error: { type: 'Broken', message: 'no frames today' } });
    await waitFor(async () => (await logFile(id))?.runs.length === 2, { describe: 'the file of both runs' });
    expect(await logFile(id)).toMatchObject({
      job_id: id,
      video_id: videoId,
      job_type: 'transcode',
      status: 'succeeded',
      runs: [
        {
          run_no: 1,
          status: 'failed',
          worker: worker.workerId,
          started: expect.any(String),
          finished: expect.any(String),
          error: { type: 'S3ObjectNotFound', retry_count: 0 },
          lines: [{ level: 'info', message: 'at work', data: { password: '•••', run: 1 } }],
        },
        { run_no: 2, status: 'succeeded', error: null, lines: [{ data: { run: 2 } }] },
      ],
    });
  });
});

describe('the log file of a job', () => {
  test('that the bucket does not take keeps no job from ending, and is there after the next', async () => {
    refuseFiles = true;
    const id = await start('segment_index', async () => undefined);
    expect(await afterRun(id)).toMatchObject({ run_no: 1 });
    await waitFor(() => s3.requests.some(({ url, status }) => url.includes(id) && status === 403), {
      describe: 'the bucket to refuse the file',
    });
    refuseFiles = false;
    expect(await logFile(id)).toBeNull();
    const next = await start('segment_index', async () => Promise.reject(new PermanentError('Broken', 'x')));
    await waitFor(() => logFile(next), { describe: 'the file of the next job' });
  });

  test('goes when its job is deleted, and only then', async () => {
    const [kept, gone] = await Promise.all([1, 2].map(() => start('ocr', () => sql(FOREIGN))));
    const both = [kept, gone] as readonly string[];
    for (const id of both) await waitFor(() => logFile(id), { describe: 'its file' });
    await q.superuser.query('delete from millrace.jobs where id = $1', [gone]);
    const duty = pipelineLogsDuty({ queue: q.queue, storage: store, log: silentLog });
    expect(await duty.run(turn())).toEqual({ files: 1 });
    expect(await logFile(gone ?? '')).toBeNull();
    expect(await logFile(kept ?? '')).not.toBeNull();
  });
});

interface LogFile {
  readonly runs: readonly object[];
}

async function logFile(jobId: string): Promise<LogFile | null> {
  const key = pipelineLogKey(jobId);
  return (await store.stat(key)) === null ? null : ((await json((await store.get(key)).stream)) as LogFile);
}
