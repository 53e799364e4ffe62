import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { readMetrics } from '../../support/metrics.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket, type TestSocket, type TestSubscription } from '../../support/ws.ts';

const METRICS_TOKEN = 'a-token-for-metrics';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ env: { MILLRACE_METRICS_TOKEN: METRICS_TOKEN } });
});
afterAll(() => api.close());

interface Shown {
  readonly __typename: string;
  readonly cursor?: string;
  readonly [field: string]: unknown;
}

/** What watches one list in one tenant, in the names of its kind. */
interface Tools {
  readonly field: 'videoChanges' | 'clipChanges' | 'callChanges';
  readonly kind: 'Video' | 'Clip' | 'Call';
  insert(tenantId: string, owner?: string): Promise<string>;
  update(id: string, status: string): Promise<void>;
  remove(id: string): Promise<void>;
}

const rows = async (sql: string, values: readonly unknown[] = []) =>
  (await api.superuser.query(sql, [...values])).rows;

const videoTools: Tools = {
  field: 'videoChanges',
  kind: 'Video',
  insert: async (tenantId, owner = 'user:alice') =>
    (
      await rows(
        `insert into millrace.videos (tenant_id, title, original_key, owner_id, status) values ($1, $2, 'k', $3, 'uploaded') returning id`,
        [tenantId, tenantId, owner],
      )
    )[0].id,
  update: async (id, status) => {
    await rows('update millrace.videos set status = $2 where id = $1', [id, status]);
  },
  remove: async (id) => {
    await rows('delete from millrace.videos where id = $1', [id]);
  },
};

let clipCount = 0;
const clipTools: Tools = {
  field: 'clipChanges',
  kind: 'Clip',
  insert: async (tenantId, owner = 'user:alice') => {
    const videoId = await videoTools.insert(tenantId);
    const [clip] = await rows(
      `insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms, created_by)
       values ($1, $2, $3::bigint, $3::bigint + 1000, 0, $4) returning id`,
      [tenantId, videoId, ++clipCount, owner],
    );
    return clip.id;
  },
  update: async (id, status) => {
    await rows(
      `update millrace.clips set status = $2, object_key = 'k', size_bytes = 1, sha256 = repeat('0', 64), start_ms = 0, end_ms = 1
       where id = $1`,
      [id, status],
    );
  },
  remove: async (id) => {
    await rows('delete from millrace.clips where id = $1', [id]);
  },
};

const callTools: Tools = {
  field: 'callChanges',
  kind: 'Call',
  insert: async (tenantId, owner = 'user:alice') =>
    (
      await rows(
        `insert into millrace.calls (tenant_id, title, recording_key, created_by, status) values ($1, $2, 'k', $3, 'queued') returning id`,
        [tenantId, tenantId, owner],
      )
    )[0].id,
  update: async (id, status) => {
    await rows('update millrace.calls set status = $2 where id = $1', [id, status]);
  },
  remove: async (id) => {
    await rows('delete from millrace.calls where id = $1', [id]);
  },
};

/** Selections executed for events, of all streams. */
async function executions(): Promise<number> {
  const { page } = await readMetrics(`${api.url}/metrics`, METRICS_TOKEN);
  return page.get('millrace_feed_executions_total') ?? Number.NaN;
}

/** A final status of each kind. */
const FINAL = { Video: 'ready', Clip: 'ready', Call: 'ready' } as const;
const IN_WORK = { Video: 'UPLOADED', Clip: 'QUEUED', Call: 'QUEUED' } as const;

class Stream {
  readonly #watching: TestSubscription;
  readonly #tools: Tools;
  constructor(socket: TestSocket, tools: Tools, filter = '', after: string | null = null) {
    const { field, kind } = tools;
    const name = kind.toLowerCase();
    this.#tools = tools;
    this.#watching = socket.subscribe(
      `subscription ($after: String) { ${field}(${filter === '' ? '' : `filter: { ${filter} }, `}after: $after) { __typename
        ... on ${kind}Updated { cursor ${name} { uuid status version progress { percent } } }
        ... on ${kind}Left { cursor ${name}Id } ... on ${kind}Removed { cursor ${name}Id }
        ... on FeedReady { cursor isComplete } ... on FeedCheckpoint { cursor } ... on ResyncRequired { reason } } }`,
      { after },
    );
  }

  get events(): Shown[] {
    return this.#watching.received.map(({ data }) => data?.[this.#tools.field]);
  }

  get errors(): unknown[] {
    return this.#watching.received.flatMap(({ errors }) => errors ?? []);
  }

  get cursor(): string {
    return this.events.findLast(({ cursor }) => cursor !== undefined)?.cursor ?? '';
  }

  /** The shown things of the events, each as `uuid status`. */
  get shown(): string[] {
    return this.events.flatMap((event) => {
      const thing = event[this.#tools.kind.toLowerCase()] as { uuid: string; status: string } | undefined;
      return thing == null ? [] : [`${thing.uuid} ${thing.status}`];
    });
  }

  until(passes: (stream: Stream) => boolean, what: string): Promise<unknown> {
    return waitFor(() => passes(this), {
      describe: () => `${what}; came: ${JSON.stringify([...this.events, ...this.errors]).slice(-2_000)}`,
    });
  }

  has(typename: string, count = 1): boolean {
    return this.events.filter((event) => event.__typename === typename).length >= count;
  }

  stop(): void {
    this.#watching.stop();
  }
}

const socketOf = async (tenantId: string, subject = 'alice') =>
  openSocket(api.server.graphqlUrl, { token: await api.token(tenantId, 'member', { subject }) });

describe.each([videoTools, clipTools, callTools])('$field', (tools) => {
  const { kind } = tools;
  const final = FINAL[kind];

  it('sends the state, newest first, every change, what leaves the filter, and what is deleted', async () => {
    const tenantId = await api.makeTenant();
    const [first, second] = [await tools.insert(tenantId), await tools.insert(tenantId)];
    const socket = await socketOf(tenantId);
    const stream = new Stream(socket, tools, `statuses: [${IN_WORK[kind]}]`);
    await stream.until((one) => one.has('FeedReady'), 'the state');
    expect(stream.shown).toEqual([`${second} ${IN_WORK[kind]}`, `${first} ${IN_WORK[kind]}`]);
    expect(stream.events.at(-1)).toMatchObject({ isComplete: true });

    const third = await tools.insert(tenantId);
    await stream.until(({ shown }) => shown.includes(`${third} ${IN_WORK[kind]}`), 'a new one');
    await tools.update(first, final);
    await stream.until((one) => one.has(`${kind}Left`), 'the one that left');
    await tools.remove(second);
    await stream.until((one) => one.has(`${kind}Removed`), 'the one that was deleted');
    // It came and went without a watcher that had it: nothing to report.
    await tools.update(first, 'failed');
    await tools.remove(third);
    await stream.until((one) => one.has(`${kind}Removed`, 2), 'the last deletion');
    expect(stream.events.filter(({ __typename }) => __typename === `${kind}Left`)).toHaveLength(1);
    await socket.close();
  });

  it('cuts the state off at `initialLimit` and says so, and selects by the creator', async () => {
    const tenantId = await api.makeTenant();
    const mine = [await tools.insert(tenantId), await tools.insert(tenantId)];
    await tools.insert(tenantId, 'user:bob');
    const socket = await socketOf(tenantId);
    const stream = new Stream(socket, tools, 'createdByMe: true, initialLimit: 1');
    await stream.until((one) => one.has('FeedReady'), 'the state');
    expect(stream.shown).toEqual([`${mine[1]} ${IN_WORK[kind]}`]);
    expect(stream.events.at(-1)).toMatchObject({ isComplete: false });
    const [theirs, last] = [await tools.insert(tenantId, 'user:bob'), await tools.insert(tenantId)];
    await stream.until(({ shown }) => shown.includes(`${last} ${IN_WORK[kind]}`), 'mine');
    expect(JSON.stringify(stream.events)).not.toContain(theirs);
    await socket.close();
  });

  it('goes on by cursor after a restart of the server: everything that happened meanwhile comes', async () => {
    const tenantId = await api.makeTenant();
    const [changed, removed, quiet] = [
      await tools.insert(tenantId),
      await tools.insert(tenantId),
      await tools.insert(tenantId),
    ];
    await tools.update(quiet, final);
    const before = await socketOf(tenantId);
    const broken = new Stream(before, tools);
    await broken.until((one) => one.has('FeedReady'), 'the state');
    const { cursor } = broken;
    const meanwhile: { added: string } = { added: '' };
    await api.restart(async () => {
      await tools.update(changed, final);
      await tools.remove(removed);
      meanwhile.added = await tools.insert(tenantId);
    });
    await before.close();
    const socket = await socketOf(tenantId);
    const resumed = new Stream(socket, tools, '', cursor);
    await resumed.until((one) => one.has('FeedCheckpoint'), 'what was missed');
    expect(resumed.shown.sort()).toEqual(
      [`${changed} ${final.toUpperCase()}`, `${meanwhile.added} ${IN_WORK[kind]}`].sort(),
    );
    expect(resumed.has(`${kind}Removed`)).toBe(true);
    expect(JSON.stringify(resumed.events)).not.toContain(quiet);
    await tools.update(quiet, 'failed');
    await resumed.until(({ shown }) => shown.includes(`${quiet} FAILED`), 'what happens then');
    // A cursor of this list is of no other.
    const other = kind === 'Clip' ? callTools : clipTools;
    const wrong = new Stream(socket, other, '', cursor);
    await waitFor(() => wrong.errors.length > 0, { describe: 'an error' });
    expect(wrong.errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT', field: 'after' } }]);
    await socket.close();
  });

  it('sends a thing again when work on it goes on, and after a resume those that are being worked on', async () => {
    const tenantId = await api.makeTenant();
    const id = await tools.insert(tenantId);
    const socket = await socketOf(tenantId);
    const stream = new Stream(socket, tools);
    await stream.until((one) => one.has('FeedReady'), 'the state');
    const [job] = await rows(
      `insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id)
       select $1, id, $2, $3 from millrace.job_definitions where key = 'echo' returning id`,
      [tenantId, kind.toLowerCase(), id],
    );
    if (kind === 'Clip')
      await rows('update millrace.clips set job_id = $2, created_by = created_by where id = $1', [
        id,
        job.id,
      ]);
    await stream.until(({ shown }) => shown.length >= 2, 'the job');
    const { cursor } = stream;
    await rows(
      `update millrace.jobs set status = 'running', run_no = 1, lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 hour'
       where id = $1`,
      [job.id],
    );
    const isShown = (one: Stream) =>
      kind === 'Clip' ? one.shown.includes(`${id} RUNNING`) : one.shown.length >= 3;
    await stream.until(isShown, 'that its job runs');
    const resumed = new Stream(socket, tools, '', cursor);
    await resumed.until((one) => one.has('FeedCheckpoint'), 'what was missed');
    expect(resumed.shown).toEqual([`${id} ${kind === 'Clip' ? 'RUNNING' : IN_WORK[kind]}`]);
    await socket.close();
  });

  it('never brings anything of another tenant, whatever both do, not even by that one’s cursor', async () => {
    const [oneTenant, otherTenant] = [await api.makeTenant(), await api.makeTenant()];
    const [own, theirs] = [await tools.insert(oneTenant), await tools.insert(otherTenant)];
    const [socket, otherSocket] = [await socketOf(oneTenant), await socketOf(otherTenant)];
    const [stream, otherStream] = [new Stream(socket, tools), new Stream(otherSocket, tools)];
    await Promise.all([stream, otherStream].map((one) => one.until((it) => it.has('FeedReady'), 'state')));
    const resumed = new Stream(socket, tools, '', otherStream.cursor);
    await resumed.until((one) => one.has('FeedCheckpoint'), 'to be caught up');
    for (const id of [own, theirs]) await tools.update(id, final);
    for (const id of [own, theirs]) await tools.remove(id);
    const streams = [stream, otherStream, resumed];
    await Promise.all(streams.map((one) => one.until((it) => it.has(`${kind}Removed`), 'the deletion')));
    expect(JSON.stringify([stream.events, resumed.events])).not.toContain(theirs);
    expect(JSON.stringify(otherStream.events)).not.toContain(own);
    for (const one of streams)
      expect(one.events.filter(({ __typename }) => __typename.endsWith('Removed'))).toHaveLength(1);
    await Promise.all([socket.close(), otherSocket.close()]);
  });

  it('executes once for all who ask for the same', async () => {
    const tenantId = await api.makeTenant();
    const socket = await socketOf(tenantId);
    const streams = Array.from({ length: 5 }, () => new Stream(socket, tools));
    await Promise.all(streams.map((one) => one.until((it) => it.has('FeedReady'), 'the state')));
    expect(api.server.subscriberCount).toBe(5);
    const before = await executions();
    await tools.insert(tenantId);
    await Promise.all(streams.map((one) => one.until((it) => it.has(`${kind}Updated`), 'a change')));
    expect((await executions()) - before).toBeLessThan(5);
    await socket.close();
    await waitFor(() => api.server.subscriberCount === 0, { describe: 'no subscriber' });
  });
});

it('clipChanges follows the clips of one call, and a deleted call takes its clips with it', async () => {
  const tenantId = await api.makeTenant();
  const callId = await callTools.insert(tenantId);
  const clipOf = async (id: string) =>
    (
      await rows(
        `insert into millrace.clips (tenant_id, call_id, t_start_ms, t_end_ms, padding_ms) values ($1, $2, 0, 1, 0) returning id`,
        [tenantId, id],
      )
    )[0].id as string;
  const one = await clipOf(callId);
  const other = await clipOf(await callTools.insert(tenantId));
  const socket = await socketOf(tenantId);
  const stream = new Stream(socket, clipTools, `callId: "${callId}"`);
  await stream.until((it) => it.has('FeedReady'), 'the state');
  expect(stream.shown).toEqual([`${one} QUEUED`]);
  for (const id of [other, one]) await clipTools.update(id, 'ready');
  await stream.until(({ shown }) => shown.includes(`${one} READY`), 'its change');
  const { cursor } = stream;
  await callTools.remove(callId);
  await stream.until((it) => it.has('ClipRemoved'), 'its deletion');
  const resumed = new Stream(socket, clipTools, `callId: "${callId}"`, cursor);
  await resumed.until((it) => it.has('ClipRemoved'), 'its deletion, after a cut');
  expect(JSON.stringify([...stream.events, ...resumed.events])).not.toContain(other);
  await socket.close();
});

it('clipChanges follows the clips of one video', async () => {
  const tenantId = await api.makeTenant();
  const [one, other] = [await clipTools.insert(tenantId), await clipTools.insert(tenantId)];
  const [{ video_id: videoId }] = await rows('select video_id from millrace.clips where id = $1', [one]);
  const socket = await socketOf(tenantId);
  const stream = new Stream(socket, clipTools, `videoId: "${videoId}"`);
  await stream.until((it) => it.has('FeedReady'), 'the state');
  for (const id of [other, one]) await clipTools.update(id, 'ready');
  await stream.until(({ shown }) => shown.includes(`${one} READY`), 'its change');
  for (const id of [other, one]) await clipTools.remove(id);
  await stream.until((it) => it.has('ClipRemoved'), 'its deletion');
  expect(JSON.stringify(stream.events)).not.toContain(other);
  await socket.close();
});

it('wrong filters are refused by the name of the field', async () => {
  const tenantId = await api.makeTenant();
  const socket = await socketOf(tenantId);
  for (const [tools, filter, field] of [
    [videoTools, 'initialLimit: 0', 'filter.initialLimit'],
    [videoTools, 'createdBy: "user:x", createdByMe: true', 'filter.createdBy'],
    [clipTools, 'createdBy: "\\u0000"', 'filter.createdBy'],
    [clipTools, 'videoId: "x"', 'filter.videoId'],
    [clipTools, 'callId: "x"', 'filter.callId'],
    [
      clipTools,
      'callId: "01900000-0000-7000-8000-000000000001", videoId: "01900000-0000-7000-8000-000000000001"',
      'filter.callId',
    ],
  ] as const) {
    const stream = new Stream(socket, tools, filter);
    await waitFor(() => stream.errors.length > 0, { describe: `an error for ${filter}` });
    expect(stream.errors).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT', field } }]);
  }
  await socket.close();
});
