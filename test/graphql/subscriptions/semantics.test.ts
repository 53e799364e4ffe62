import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openStream } from '../../support/sse.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket, type Received, type TestSocket } from '../../support/ws.ts';

let api: TestApi;
let tenantId: string;
let token: string;
let socket: TestSocket;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'member');
  socket = openSocket(api.server.graphqlUrl, { token });
});
afterAll(async () => {
  await socket.close();
  await api.close();
});

/** A queued job; `columns` is SQL for further ones. */
async function insertJob(columns: Record<string, string> = {}): Promise<string> {
  const names = Object.keys(columns).map((name) => `, ${name}`);
  const values = Object.values(columns).map((value) => `, ${value}`);
  const { rows } = await api.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id${names.join('')})
     select $1, id${values.join('')} from millrace.job_definitions where key = 'echo' returning id`,
    [tenantId],
  );
  return rows[0].id;
}

const failed = { status: "'failed'", finished_at: 'now()' };

const statusOf = ({ data }: Received): string | undefined => data?.jobChanged?.status;
const codeOf = ({ errors }: Received): unknown => errors?.[0].extensions.code;

describe('jobChanged', () => {
  const CHANGED = `subscription ($id: ID!, $untilFinal: Boolean) {
    jobChanged(id: $id, untilFinal: $untilFinal) { uuid status version } }`;

  it('of a job that has ended already sends it once and, with untilFinal, is complete', async () => {
    const id = await insertJob(failed);
    const watching = socket.subscribe(CHANGED, { id, untilFinal: true });
    await waitFor(() => watching.ended(), { describe: 'the stream to end' });
    expect(watching.ended()).toBe('complete');
    expect(watching.received.map(statusOf)).toEqual(['FAILED']);
  });

  it('goes on without untilFinal: a job that is retried is seen again, and its deletion ends the stream with null', async () => {
    const id = await insertJob(failed);
    const watching = socket.subscribe(CHANGED, { id });
    await watching.next((message) => statusOf(message) === 'FAILED', 'the failed job');
    await api.superuser.query(
      `update millrace.jobs set status = 'queued', finished_at = null where id = $1`,
      [id],
    );
    await watching.next((message) => statusOf(message) === 'QUEUED', 'the retried job');
    expect(watching.ended()).toBeNull();
    await api.superuser.query('delete from millrace.jobs where id = $1', [id]);
    await waitFor(() => watching.ended(), { describe: 'the stream to end' });
    expect(watching.received.at(-1)).toEqual({ data: { jobChanged: null } });
    expect(watching.ended()).toBe('complete');
  });

  it('with untilFinal, a job that is deleted before its end ends the stream with null', async () => {
    const id = await insertJob();
    const watching = socket.subscribe(CHANGED, { id, untilFinal: true });
    await watching.next((message) => statusOf(message) === 'QUEUED', 'the job');
    await api.superuser.query('delete from millrace.jobs where id = $1', [id]);
    await waitFor(() => watching.ended(), { describe: 'the stream to end' });
    expect(watching.received.at(-1)).toEqual({ data: { jobChanged: null } });
  });

  it('of a job that is not there, or not any more, says NOT_FOUND and nothing else', async () => {
    const id = await insertJob();
    await api.superuser.query('delete from millrace.jobs where id = $1', [id]);
    for (const gone of [id, '01900000-0000-7000-8000-000000000000']) {
      const watching = socket.subscribe(CHANGED, { id: gone });
      await waitFor(() => watching.ended(), { describe: 'the stream to end' });
      expect(watching.received.map(codeOf)).toEqual(['NOT_FOUND']);
    }
  });

  it('needs no cursor: a client that comes back is sent the job as it is by then', async () => {
    const id = await insertJob();
    const first = socket.subscribe(CHANGED, { id, untilFinal: true });
    await first.next((message) => statusOf(message) === 'QUEUED', 'the job');
    first.stop();
    await api.superuser.query(
      `update millrace.jobs set status = 'canceled', finished_at = now() where id = $1`,
      [id],
    );
    const second = socket.subscribe(CHANGED, { id, untilFinal: true });
    await waitFor(() => second.ended(), { describe: 'the stream to end' });
    expect(second.received.map(statusOf)).toEqual(['CANCELED']);
  });
});

describe('the filter of jobChanges', () => {
  const CHANGES = `subscription ($filter: JobChangesFilter) { jobChanges(filter: $filter) { __typename
    ... on JobUpdated { job { uuid version queuedAt scheduledFor createdBy } } } }`;
  const uuids = (received: readonly Received[]): string[] =>
    received.flatMap(({ data }) => data?.jobChanges.job?.uuid ?? []);
  const isReady = ({ data }: Received) => data?.jobChanges.__typename === 'FeedReady';

  it('by createdByMe gives two people who ask with the same words each their own', async () => {
    const people = [`ann-${randomUUID()}`, `bob-${randomUUID()}`];
    const tokens = await Promise.all(people.map((subject) => api.token(tenantId, 'member', { subject })));
    const sockets = tokens.map((one) => openSocket(api.server.graphqlUrl, { token: one }));
    const insertAll = () => Promise.all(people.map((name) => insertJob({ created_by: `'user:${name}'` })));
    const early = await insertAll();
    const watching = sockets.map((one) => one.subscribe(CHANGES, { filter: { createdByMe: true } }));
    await Promise.all(watching.map((one) => one.next(isReady, 'FeedReady')));
    const late = await insertAll();
    for (const [index, one] of watching.entries()) {
      await one.next(({ data }) => data.jobChanges.job?.uuid === late[index], 'the late job');
      expect(uuids(one.received)).toEqual([early[index], late[index]]);
    }
    await Promise.all(sockets.map((one) => one.close()));
  });

  it('selects by subject, definition, ids and status alike', async () => {
    const subject = { type: 'call', key: randomUUID() };
    const id = await insertJob({ subject_type: `'${subject.type}'`, subject_id: `'${subject.key}'` });
    await insertJob();
    const filters = [
      { subject },
      { ids: [id] },
      { ids: [`Job:${id}`], statuses: ['QUEUED'], definitions: ['echo'] },
    ];
    for (const filter of filters) {
      const watching = socket.subscribe(CHANGES, { filter });
      await watching.next(isReady, 'FeedReady');
      expect(uuids(watching.received)).toEqual([id]);
      watching.stop();
    }
    const nothing = socket.subscribe(CHANGES, { filter: { ids: [] } });
    await nothing.next(isReady, 'FeedReady');
    expect(uuids(nothing.received)).toEqual([]);
    nothing.stop();
  });

  const REFUSED: readonly (readonly [string, object, string, string])[] = [
    ['an id', { ids: ['Video:x'] }, 'filter.ids[0]', 'INVALID_ARGUMENT'],
    ['too many ids', { ids: Array(1_001).fill(`x`) }, 'filter.ids', 'INVALID_ARGUMENT'],
    ['an unknown definition', { definitions: ['nope'] }, 'filter.definitions[0]', 'UNKNOWN_DEFINITION'],
    [
      'a long subject',
      { subject: { type: 'x'.repeat(101), key: 'y' } },
      'filter.subject.type',
      'INVALID_ARGUMENT',
    ],
    ['a video by no id', { subject: { type: 'video', key: 'x' } }, 'filter.subject.key', 'INVALID_ARGUMENT'],
    ['a correlation id with a NUL', { correlationId: 'a\0' }, 'filter.correlationId', 'INVALID_ARGUMENT'],
    ['two creators', { createdBy: 'user:x', createdByMe: true }, 'filter.createdBy', 'INVALID_ARGUMENT'],
    ['a negative window', { sinceSeconds: -1 }, 'filter.sinceSeconds', 'INVALID_ARGUMENT'],
    ['an initial limit of 0', { initialLimit: 0 }, 'filter.initialLimit', 'INVALID_ARGUMENT'],
  ];
  it.each(REFUSED)('refuses %s, naming the field and what is allowed', async (_what, filter, field, code) => {
    const watching = socket.subscribe(CHANGES, { filter });
    const refused = await watching.next(({ errors }) => errors !== undefined, 'an error');
    expect(refused.errors?.[0].extensions).toMatchObject({
      code,
      field,
      allowed: expect.stringMatching(/.+/),
    });
    expect(socket.closeCode()).toBeNull();
  });

  it('sends versions as strings and times as RFC 3339 in UTC', async () => {
    const id = await insertJob({ scheduled_for: "'2031-05-06 07:08:09.1+02'" });
    const watching = socket.subscribe(CHANGES, { filter: { ids: [id] } });
    const { data } = await watching.next((message) => message.data?.jobChanges.job != null, 'the job');
    expect(data.jobChanges.job).toMatchObject({ version: '1', scheduledFor: '2031-05-06T05:08:09.100Z' });
    expect(data.jobChanges.job.queuedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    watching.stop();
  });
});

describe('a stream that the role may not read', () => {
  it('is refused when it is subscribed to, before there is any event, on both transports', async () => {
    const worker = await api.token(tenantId, 'worker');
    const refusing = openSocket(api.server.graphqlUrl, { token: worker });
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
    // Nothing ever happens to a job that is not there: what comes cannot be a refused event.
    const documents = [
      'subscription { jobChanges(filter: { ids: [] }) { __typename } }',
      'subscription { jobSummary { isComplete } }',
    ];
    for (const document of documents) {
      const watching = refusing.subscribe(document);
      const stream = await openStream(api.server.graphqlUrl, worker, document);
      await waitFor(() => watching.ended() && stream.isEnded(), { describe: 'both to end' });
      for (const message of [watching.received.at(-1), stream.received.at(-1)])
        expect(JSON.stringify(message ?? watching.ended())).toContain('FORBIDDEN');
      expect(api.server.subscriberCount).toBe(0);
    }
    await refusing.close();
  });
});

describe('jobSummary', () => {
  const SUMMARY = `subscription ($since: Int) { jobSummary(sinceSeconds: $since) {
    counts { queued failed } definitions { definitionKey counts { queued } } isComplete countedAt finishedAfter } }`;

  it('streams the counts of the tenant, and a query gives the same', async () => {
    const other = await api.makeTenant();
    const mine = await api.token(other, 'member');
    const watcher = openSocket(api.server.graphqlUrl, { token: mine });
    const watching = watcher.subscribe(SUMMARY, { since: 300 });
    const isQueued = (count: number) => (message: Received) =>
      message.data?.jobSummary.counts.queued === count;
    await watching.next(isQueued(0), 'no job');
    await api.query(
      mine,
      'mutation { enqueueJob(input: { definition: "echo", payload: { message: "x" } }) { __typename } }',
    );
    const { data } = await watching.next(isQueued(1), 'one job');
    expect(data.jobSummary).toMatchObject({
      isComplete: true,
      definitions: [{ definitionKey: 'echo', counts: { queued: 1 } }],
    });
    const span = Date.parse(data.jobSummary.countedAt) - Date.parse(data.jobSummary.finishedAfter);
    expect(span).toBe(300_000);
    const asked = await api.query(mine, '{ jobSummary { counts { queued } } }');
    expect(asked.data.jobSummary.counts.queued).toBe(1);
    await watcher.close();
  });

  it('refuses a window that there is none of, naming those that there are', async () => {
    const watching = socket.subscribe(SUMMARY, { since: 7 });
    const { errors } = await watching.next((message) => message.errors !== undefined, 'an error');
    expect(errors?.[0].extensions).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'sinceSeconds',
      allowed: 'one of 60, 300, 900, 3600, 21600, 86400',
    });
    const asked = await api.query(token, '{ jobSummary(sinceSeconds: 7) { isComplete } }');
    expect(asked.errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: 'sinceSeconds' });
  });
});
