import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { JobFilter } from '../../src/events/filter.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { CLAIM, openStage, type Stage, SUCCEED, Watcher } from './stage.ts';

let database: TestDatabase;
let stage: Stage;
const watchers: Watcher[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url);
});
afterEach(() => Promise.all(watchers.splice(0).map((watcher) => watcher.stop())));
afterAll(async () => {
  await stage.close();
  await database.drop();
});

function watch(filter: Partial<JobFilter> = {}, after?: string): Watcher {
  const watcher = new Watcher(stage.feed.subscribe({ tenantId: stage.tenantId, ...filter }, after));
  watchers.push(watcher);
  return watcher;
}

test('a fresh stream gives the active jobs and those that ended lately, newest first, then ready', async () => {
  const [queued = '', running = '', ended = '', old = ''] = await stage.insertJobs(4, {
    correlation_id: "'initial'",
  });
  await stage.superuser.query(CLAIM, [[running, ended, old]]);
  await stage.superuser.query(SUCCEED, [[ended]]);
  await stage.superuser.query(SUCCEED.replace('now()', "now() - interval '2 hours'"), [[old]]);
  const watcher = watch({ correlationId: 'initial' });
  await watcher.ready();
  expect(watcher.kinds).toEqual(['job', 'job', 'job', 'ready']);
  expect([...watcher.versions.keys()].sort()).toEqual([queued, running, ended].sort());
  expect(watcher.events.at(-1)).toMatchObject({ kind: 'ready', complete: true });
  const longer = watch({ correlationId: 'initial', sinceSeconds: 3 * 3_600 });
  await longer.ready();
  expect(longer.versions.has(old)).toBe(true);
});

test('an initial state over its limit is cut off after the newest and says that it is not complete', async () => {
  const ids = await stage.insertJobs(5, {
    correlation_id: "'limit'",
    queued_at: "now() + n * interval '1 second'",
  });
  const watcher = watch({ correlationId: 'limit', initialLimit: 3 });
  await watcher.ready();
  expect([...watcher.versions.keys()]).toEqual(ids.slice(2).reverse());
  expect(watcher.events.at(-1)).toMatchObject({ kind: 'ready', complete: false });
});

test('a job is seen through its life, written by a foreign program', async () => {
  const watcher = watch({ correlationId: 'life' });
  await watcher.ready();
  const ids = await stage.insertJobs(1, { correlation_id: "'life'" });
  await watcher.until(({ events }) => events.length === 2, 'the new job');
  await stage.superuser.query(CLAIM, [ids]);
  await watcher.until(({ events }) => events.length === 3, 'the claim');
  await stage.superuser.query(
    'insert into millrace.job_progress (job_id, tenant_id, run_no, percent) values ($1, $2, 1, 50)',
    [ids[0], stage.tenantId],
  );
  await watcher.until(({ events }) => events.length === 4, 'the progress');
  await stage.superuser.query(SUCCEED, [ids]);
  await watcher.until(({ events }) => events.length === 5, 'the end');
  const seen = watcher.events.map((event) =>
    event.kind === 'job' ? `${event.change.status} ${event.change.version}` : event.kind,
  );
  expect(seen).toEqual(['ready', 'queued 1', 'running 2', 'running 2', 'succeeded 3']);
});

test('each filter lets through its own jobs and no others, and none of another tenant', async () => {
  const subject = { type: 'video', id: 'v-1' };
  const filters: Partial<JobFilter>[] = [
    { correlationId: 'mine' },
    { subject },
    { createdBy: 'user:me' },
    { definitionIds: [stage.definitionId], correlationId: 'mine' },
  ];
  const watching = filters.map((filter) => watch(filter));
  const stranger = watch({ tenantId: await stage.makeTenant() });
  const elsewhere = watch({ definitionIds: [stage.tenantId] });
  await Promise.all([...watching, stranger, elsewhere].map((watcher) => watcher.ready()));
  await stage.insertJobs(3);
  const columns = {
    correlation_id: "'mine'",
    subject_type: "'video'",
    subject_id: "'v-1'",
    created_by: "'user:me'",
  };
  const [id = ''] = await stage.insertJobs(1, columns);
  const byId = watch({ ids: [id] });
  for (const watcher of [...watching, byId]) {
    await watcher.until(({ versions }) => versions.has(id), 'its job');
    expect(watcher.kinds.filter((kind) => kind === 'job')).toHaveLength(1);
  }
  expect(stranger.kinds).toEqual(['ready']);
  expect(elsewhere.kinds).toEqual(['ready']);
});

test('a stream of one job by its id begins with it however long ago it ended', async () => {
  const ids = await stage.insertJobs(1);
  await stage.superuser.query(CLAIM, [ids]);
  await stage.superuser.query(SUCCEED.replace('now()', "now() - interval '9 days'"), [ids]);
  const watcher = watch({ ids });
  await watcher.ready();
  expect(watcher.kinds).toEqual(['job', 'ready']);
});

test('a job that leaves the wanted statuses is announced once, one that never was in them not at all', async () => {
  const watcher = watch({ statuses: ['running'], correlationId: 'statuses' });
  await watcher.ready();
  const ids = await stage.insertJobs(2, { correlation_id: "'statuses'" });
  await stage.superuser.query(CLAIM, [ids.slice(0, 1)]);
  await watcher.until(({ kinds }) => kinds.includes('job'), 'the running job');
  await stage.superuser.query(SUCCEED, [ids.slice(0, 1)]);
  await watcher.until(({ kinds }) => kinds.includes('jobLeft'), 'its end');
  await stage.superuser.query(CLAIM, [ids.slice(1)]);
  await watcher.until(({ kinds }) => kinds.length === 4, 'the other job');
  expect(watcher.kinds).toEqual(['ready', 'job', 'jobLeft', 'job']);
});

test('a client that resumes is sent every job outside the wanted statuses, since nobody knows what it has', async () => {
  const first = watch({ statuses: ['running'], correlationId: 'resumed statuses' });
  const ids = await stage.insertJobs(1, { correlation_id: "'resumed statuses'" });
  await stage.superuser.query(CLAIM, [ids]);
  await first.until(({ kinds }) => kinds.includes('job') && kinds.includes('ready'), 'the running job');
  await first.stop();
  await stage.superuser.query(SUCCEED, [ids]);
  const second = watch({ statuses: ['running'], correlationId: 'resumed statuses' }, first.cursor);
  await second.until(({ kinds }) => kinds.includes('jobLeft'), 'the end');
});

test('a deleted job is announced as removed, live and to a client that comes back', async () => {
  const ids = await stage.insertJobs(2, { correlation_id: "'removed'" });
  const watcher = watch({ correlationId: 'removed' });
  await watcher.ready();
  const { cursor } = watcher;
  await stage.superuser.query('delete from millrace.jobs where id = any ($1)', [ids]);
  await watcher.until(
    ({ kinds }) => kinds.filter((kind) => kind === 'jobRemoved').length === 2,
    'both removals',
  );
  const later = watch({ correlationId: 'removed' }, cursor);
  await later.until(
    ({ kinds }) => kinds.filter((kind) => kind === 'jobRemoved').length === 2,
    'both removals',
  );
});

test('a client that resumes with nothing missed gets a checkpoint and then what happens', async () => {
  const first = watch({ correlationId: 'resume' });
  await first.ready();
  await first.stop();
  const second = watch({ correlationId: 'resume' }, first.cursor);
  await second.until(({ kinds }) => kinds.includes('checkpoint'), 'the checkpoint');
  await stage.insertJobs(1, { correlation_id: "'resume'" });
  await second.until(({ kinds }) => kinds.includes('job'), 'the job');
  expect(second.kinds).toEqual(['checkpoint', 'job']);
});

test('an event of an initial state carries a cursor that starts afresh', async () => {
  await stage.insertJobs(2, { correlation_id: "'afresh'" });
  const first = watch({ correlationId: 'afresh' });
  await first.ready();
  const again = watch({ correlationId: 'afresh' }, first.events[0]?.cursor ?? '');
  await again.ready();
  expect(again.kinds).toEqual(['job', 'job', 'ready']);
});

test('a stream that is left frees everything at once, also when it was never begun or waits', async () => {
  expect(stage.feed.memberCount).toBe(0);
  const untouched = stage.feed.subscribe({ tenantId: stage.tenantId });
  expect(stage.feed.memberCount).toBe(0);
  await untouched.return?.();
  expect(await untouched.next()).toEqual({ done: true, value: undefined });
  const waiting = stage.feed.subscribe({ tenantId: stage.tenantId, correlationId: 'nobody' });
  expect(await waiting.next()).toMatchObject({ value: { kind: 'ready' } });
  const next = waiting.next();
  expect(stage.feed.memberCount).toBe(1);
  await waiting.return?.();
  expect(stage.feed.memberCount).toBe(0);
  expect(await next).toEqual({ done: true, value: undefined });
  await waitFor(() => stage.feed.position === null, { describe: 'the tail to rest' });
});

test('a malformed cursor and a malformed filter are refused at once, naming the field', () => {
  const refused = (field: string, filter: Partial<JobFilter>, after?: string): void => {
    expect(() => stage.feed.subscribe({ tenantId: stage.tenantId, ...filter }, after)).toThrow(
      expect.objectContaining({ code: 'InvalidArgument', details: expect.objectContaining({ field }) }),
    );
  };
  refused('after', {}, 'nonsense');
  refused('filter.tenantId', { tenantId: 'x' });
  refused('filter.ids', { ids: ['x'] });
  refused('filter.initialLimit', { initialLimit: 10_001 });
  refused('filter.sinceSeconds', { sinceSeconds: -1 });
});

test('a video stream begins at once and reports the video, of a job about it and of its progress', async () => {
  const { rows } = await stage.superuser.query(
    "insert into millrace.videos (tenant_id, title, original_key) values ($1, 'A', 'a') returning id",
    [stage.tenantId],
  );
  const videoId: string = rows[0].id;
  const stream = stage.feed.subscribeEntity({
    entity: 'video',
    tenantId: stage.tenantId,
    id: videoId,
    withParts: true,
  });
  const event = {
    done: false,
    value: { kind: 'entity', entity: 'video', tenantId: stage.tenantId, id: videoId },
  };
  expect(await stream.next()).toEqual(event);
  await stage.superuser.query("update millrace.videos set status = 'uploaded' where id = $1", [videoId]);
  expect(await stream.next()).toEqual(event);
  const [jobId = ''] = await stage.insertJobs(1, { subject_type: "'video'", subject_id: `'${videoId}'` });
  expect(await stream.next()).toEqual(event);
  await stage.superuser.query(
    'insert into millrace.job_progress (job_id, tenant_id, run_no, percent) values ($1, $2, 1, 50)',
    [jobId, stage.tenantId],
  );
  expect(await stream.next()).toEqual(event);
  const waiting = stream.next();
  await stream.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(stage.feed.memberCount).toBe(0);
});

test('a feed that is stopped ends its streams, and those that begin later', async () => {
  const other = await openStage(database.url);
  const watcher = new Watcher(other.feed.subscribe({ tenantId: other.tenantId }));
  await watcher.ready();
  await Promise.all([other.feed.stop(), other.feed.stop()]);
  await watcher.stop();
  expect(await other.feed.subscribe({ tenantId: other.tenantId }).next()).toEqual({
    done: true,
    value: undefined,
  });
  await other.close();
});
