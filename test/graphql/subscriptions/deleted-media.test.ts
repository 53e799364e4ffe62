import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WATCH_CHANNEL } from '../../../src/db/channels.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { makeTenantRows, type TenantRows } from '../../support/tenant-rows.ts';
import { waitFor } from '../../support/wait.ts';
import { openSocket } from '../../support/ws.ts';

// A mutation's statements commit with `millrace.notify = 'after_commit'`: no trigger notifies for them, the
// mutation does.

let api: TestApi;
let rows: TenantRows;
let admin: string;
const heard: string[] = [];

beforeAll(async () => {
  api = await startTestApi();
  api.superuser.on('notification', ({ channel }) => heard.push(channel));
  await api.superuser.query(`listen ${WATCH_CHANNEL}`);
});
afterAll(async () => {
  api.superuser.removeAllListeners('notification');
  await api.close();
});
beforeEach(async () => {
  rows = await makeTenantRows(api, 'ours');
  admin = await api.token(rows.tenantId, 'tenant_admin');
});

/** Watches, deletes, and waits for null and the end. */
async function endsWith(subscription: string, field: string, mutation: string): Promise<void> {
  const socket = openSocket(api.server.graphqlUrl, { token: admin });
  const watching = socket.subscribe(subscription);
  try {
    await watching.next(({ data }) => typeof data?.[field]?.uuid === 'string', 'it as it is');
    await api.superuser.query('select 1');
    heard.length = 0;
    const answer = await api.query(admin, mutation);
    expect(Object.values(answer.data)).toEqual([{ __typename: expect.stringMatching(/^Delete\w+Payload$/) }]);
    await waitFor(() => heard.includes(WATCH_CHANNEL), { describe: 'a notification' });
    await watching.next(({ data }) => data?.[field] === null, 'null');
    await expect.poll(() => watching.ended()).toBeTruthy();
  } finally {
    watching.stop();
    await socket.close();
  }
}

const deleteOf = (name: string, id: string) => `mutation { ${name}(input: { id: "${id}" }) { __typename } }`;

it('clipChanged ends with null once its clip was deleted', () =>
  endsWith(
    `subscription { clipChanged(id: "${rows.clipId}") { uuid } }`,
    'clipChanged',
    deleteOf('deleteClip', rows.clipId),
  ));

it('clipChanged ends with null once the video of its clip was deleted', () =>
  endsWith(
    `subscription { clipChanged(id: "${rows.clipId}") { uuid } }`,
    'clipChanged',
    deleteOf('deleteVideo', rows.videoId),
  ));

it('videoChanged ends with null once its video was deleted', () =>
  endsWith(
    `subscription { videoChanged(id: "${rows.videoId}") { uuid } }`,
    'videoChanged',
    deleteOf('deleteVideo', rows.videoId),
  ));

it('videoChanged says that a clip of its video was deleted', async () => {
  const socket = openSocket(api.server.graphqlUrl, { token: admin });
  const watching = socket.subscribe(
    `subscription { videoChanged(id: "${rows.videoId}") { clips { nodes { uuid } } } }`,
  );
  try {
    await watching.next(({ data }) => data?.videoChanged.clips.nodes.length === 1, 'the clip');
    await api.query(admin, deleteOf('deleteClip', rows.clipId));
    await watching.next(({ data }) => data?.videoChanged.clips.nodes.length === 0, 'no clip');
  } finally {
    watching.stop();
    await socket.close();
  }
});

it('both end with null when somebody deletes the rows by SQL that notifies after its commit', async () => {
  const socket = openSocket(api.server.graphqlUrl, { token: admin });
  const clip = socket.subscribe(`subscription { clipChanged(id: "${rows.clipId}") { uuid } }`);
  const video = socket.subscribe(`subscription { videoChanged(id: "${rows.videoId}") { uuid } }`);
  try {
    for (const each of [clip, video]) await each.next(() => true, 'it as it is');
    await api.superuser.query('begin');
    await api.superuser.query(`set local millrace.notify = 'after_commit'`);
    await api.superuser.query('delete from millrace.clips where id = $1', [rows.clipId]);
    await api.superuser.query('delete from millrace.segments where video_id = $1', [rows.videoId]);
    await api.superuser.query('delete from millrace.videos where id = $1', [rows.videoId]);
    await api.superuser.query('commit');
    for (const each of [clip, video]) {
      await each.next(({ data }) => Object.values(data ?? {})[0] === null, 'null');
      await expect.poll(() => each.ended()).toBeTruthy();
    }
  } finally {
    for (const each of [clip, video]) each.stop();
    await socket.close();
  }
});
