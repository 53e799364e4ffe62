import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';

// Dependencies, artifacts, clips and files of remote workers name jobs without foreign keys: triggers keep
// what those would.

let q: TestQueue;
let tenantId: string;
let videoId: string;

beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
  const [video] = await rows(
    `insert into millrace.videos (tenant_id, title, original_key) values ($1, 'A video', 'videos/original/x') returning id`,
    [tenantId],
  );
  videoId = video.id;
});
beforeEach(async () => {
  await q.clear();
  await rows('delete from millrace.artifacts');
  await rows('delete from millrace.clips');
  await rows('delete from millrace.job_files');
});
afterAll(() => q.close());

const rows = async (sql: string, values: unknown[] = []) => (await q.superuser.query(sql, values)).rows;

async function makeJobs(count: number): Promise<string[]> {
  const jobs = await rows(
    'insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, $3::integer) returning id',
    [tenantId, q.definitionId('alpha'), count],
  );
  return jobs.map(({ id }) => id);
}

const EDGE = 'insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id) values ($1, $2, $3)';
const ARTIFACT = `insert into millrace.artifacts (tenant_id, job_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
  values ($2, $1, 'x', 'x', 'x', 'x/' || uuidv7(), 1, repeat('0', 64), 'text/plain')`;
const CLIP = `insert into millrace.clips (tenant_id, job_id, video_id, t_start_ms, t_end_ms, padding_ms)
  values ($2, $1, $3, 0, 1000 + (select count(*) from millrace.clips), 0)`;
const FILE = `insert into millrace.job_files (key, tenant_id, job_id, held_until) values ('job-files/' || uuidv7(), $2, $1, now())`;

const named = async () => ({
  edges: (await rows('select from millrace.job_dependencies')).length,
  artifacts: (await rows('select job_id from millrace.artifacts order by id')).map(({ job_id }) => job_id),
  clips: (await rows('select job_id from millrace.clips order by id')).map(({ job_id }) => job_id),
  files: (await rows('select job_id from millrace.job_files order by key')).map(({ job_id }) => job_id),
});

async function nameThem([first = '', second = '', third = '', kept = '']: readonly string[]): Promise<void> {
  await rows(EDGE, [first, kept, tenantId]);
  await rows(EDGE, [kept, second, tenantId]);
  for (const id of [third, kept]) {
    await rows(ARTIFACT, [id, tenantId]);
    await rows(CLIP, [id, tenantId, videoId]);
    await rows(FILE, [id, tenantId]);
  }
}

test('what names a deleted job goes with it or names none any more; what names others stays', async () => {
  const jobs = await makeJobs(4);
  const [first, second, third, kept] = jobs;
  await nameThem(jobs);
  const [before] = await rows('select version from millrace.clips where job_id = $1', [third]);
  await rows('delete from millrace.jobs where id = any ($1)', [[first, second, third]]);
  expect(await named()).toEqual({
    edges: 0,
    artifacts: [null, kept],
    clips: [null, kept],
    files: [null, kept],
  });
  // Watchers of the clip are notified.
  const [after] = await rows('select version from millrace.clips where job_id is null');
  expect(Number(after.version)).toBe(Number(before.version) + 1);
});

test('the worker role, which retention deletes as, may do all of it', async () => {
  const jobs = await makeJobs(4);
  await nameThem(jobs);
  await rows('begin');
  await rows('set local role millrace_worker');
  await rows('delete from millrace.jobs');
  await rows('commit');
  expect(await named()).toEqual({
    edges: 0,
    artifacts: [null, null],
    clips: [null, null],
    files: [null, null],
  });
});

test('TRUNCATE leaves nothing that names a job', async () => {
  await nameThem(await makeJobs(4));
  await rows('truncate millrace.jobs');
  expect(await named()).toEqual({
    edges: 0,
    artifacts: [null, null],
    clips: [null, null],
    files: [null, null],
  });
});

const NOBODY = '00000000-0000-7000-8000-000000000000';

test.each([
  ['job_id of job_dependencies', EDGE, (id: string) => [NOBODY, id, tenantId]],
  ['depends_on_id of job_dependencies', EDGE, (id: string) => [id, NOBODY, tenantId]],
  ['job_id of artifacts', ARTIFACT, () => [NOBODY, tenantId]],
  ['job_id of clips', CLIP, () => [NOBODY, tenantId, videoId]],
  ['job_id of job_files', FILE, () => [NOBODY, tenantId]],
])('anybody who puts in a %s that names no job is refused by name', async (what, sql, values) => {
  const [id = ''] = await makeJobs(1);
  await expect(rows(sql, values(id))).rejects.toMatchObject({
    code: '23503',
    message: `${what} names job ${NOBODY}, which does not exist`,
    column: what.split(' ')[0],
  });
});

test('nobody makes a row name a job that is not there either', async () => {
  const [id = ''] = await makeJobs(1);
  await rows(ARTIFACT, [null, tenantId]);
  await rows('update millrace.artifacts set job_id = $1', [id]);
  await expect(rows('update millrace.artifacts set job_id = $1', [NOBODY])).rejects.toMatchObject({
    code: '23503',
  });
});

/** Runs `later` on another connection while `sooner` is not committed yet, and says how that ended. */
async function race(sooner: () => Promise<unknown>, later: string, values: unknown[]): Promise<string> {
  const rival = await connectSuperuser(q.url);
  try {
    const [{ pid }] = (await rival.query('select pg_backend_pid() as pid')).rows;
    await rows('begin');
    await sooner();
    const ending = rival.query(later, values).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
    await waitFor(
      async () => (await rows('select cardinality(pg_blocking_pids($1)) > 0 as waits', [pid]))[0].waits,
      {
        describe: 'the rival to wait for the row',
      },
    );
    await rows('commit');
    return await ending;
  } finally {
    await rival.end();
  }
}

test('who deletes a job beside somebody who is about to name it waits, and then sees to that row too', async () => {
  const [child = '', parent = ''] = await makeJobs(2);
  const deletes = 'delete from millrace.jobs where id = $1';
  expect(await race(() => rows(EDGE, [child, parent, tenantId]), deletes, [parent])).toBe('done');
  expect((await named()).edges).toBe(0);
  expect(await race(() => rows(ARTIFACT, [child, tenantId]), deletes, [child])).toBe('done');
  expect((await named()).artifacts).toEqual([null]);
});

test('who names a job that is being deleted waits, and is refused', async () => {
  const [child = '', parent = ''] = await makeJobs(2);
  const sooner = () => rows('delete from millrace.jobs where id = $1', [parent]);
  expect(await race(sooner, EDGE, [child, parent, tenantId])).toBe('23503');
  expect((await named()).edges).toBe(0);
});

test('no trigger of any kind looks at each job after it was written', async () => {
  // Foreign keys that point here are such triggers: four of them were half of what a deletion cost.
  const after = await rows(
    `select tgname from pg_trigger where tgrelid = 'millrace.jobs'::regclass and tgtype & 1 = 1 and tgtype & 66 = 0`,
  );
  expect(after).toEqual([]);
});
