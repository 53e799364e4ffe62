import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { type CutProxy, startCutProxy } from '../support/cut-proxy.ts';
import { waitFor } from '../support/wait.ts';
import { clientOf, collect } from './watching.ts';

let api: TestApi;
let proxy: CutProxy;
let tenantId: string;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  proxy = await startCutProxy(api.server.graphqlUrl);
  tenantId = await api.makeTenant();
  token = await api.token(tenantId, 'tenant_admin');
});
afterAll(async () => {
  await proxy.close();
  await api.close();
});

async function makeVideo(title: string, owner: string): Promise<string> {
  const { rows } = await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key, owner_id, status)
     values ($1, $2, gen_random_uuid()::text, $3, 'uploaded') returning id`,
    [tenantId, title, owner],
  );
  return rows[0].id;
}

async function makeClip(videoId: string): Promise<string> {
  const { rows } = await api.superuser.query(
    `insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms) values ($1, $2, 0, 1000, 0) returning id`,
    [tenantId, videoId],
  );
  return rows[0].id;
}

describe.each(['ws', 'sse'] as const)('lists of videos and clips over %s', (transport) => {
  const open = () => clientOf(api, { token: () => token, transport, url: proxy.url });

  it('a watch gives what matches, FeedReady and each change to the end, and drops what is deleted while it was cut off', async () => {
    const client = open();
    const caller = clientOf(api, { token });
    const owner = `user:watch-${transport}`;
    const [kept, gone] = [await makeVideo('kept', owner), await makeVideo('gone', owner)];
    const seen = collect(client.watchVideos({ createdBy: owner }));
    await waitFor(() => seen.values.some(({ __typename }) => __typename === 'FeedReady'), {
      describe: 'FeedReady',
    });
    const titles = () =>
      seen.values.flatMap((event) => (event.__typename === 'VideoUpdated' ? (event.video?.title ?? []) : []));
    expect(titles()).toEqual(['gone', 'kept']);
    proxy.cut();
    await caller.request('mutation ($id: ID!) { deleteVideo(input: { id: $id }) { __typename } }', {
      id: gone,
    });
    await api.superuser.query(`update millrace.videos set title = 'renamed' where id = $1`, [kept]);
    await waitFor(
      () =>
        titles().includes('renamed') &&
        seen.values.some((event) => event.__typename === 'VideoRemoved' && event.videoId.length > 0),
      { describe: 'what happened meanwhile' },
    );
    expect(seen.values.filter(({ __typename }) => __typename === 'FeedReady')).toHaveLength(1);
    await makeVideo('another’s', 'user:somebody');
    for (const each of [client, caller]) each.close();
    expect(titles()).not.toContain('another’s');
  });

  it('views keep the sets current, newest first, through a cut', async () => {
    const client = open();
    const caller = clientOf(api, { token });
    const owner = `user:view-${transport}`;
    const first = await makeVideo('first', owner);
    const videos = client.viewVideos({ createdBy: owner });
    const clips = client.viewClips({ videoId: first });
    const stops = [videos.subscribe(() => undefined), clips.subscribe(() => undefined)];
    await waitFor(() => videos.state.isReady && clips.state.isReady, { describe: 'both sets' });
    const second = await makeVideo('second', owner);
    const clip = await makeClip(first);
    await makeClip(second);
    const shown = () => [
      videos.state.videos.map(({ uuid }) => uuid),
      clips.state.clips.map(({ uuid }) => uuid),
    ];
    await waitFor(() => JSON.stringify(shown()) === JSON.stringify([[second, first], [clip]]), {
      describe: 'what was made',
    });
    proxy.cut();
    await caller.request('mutation ($id: ID!) { deleteClip(input: { id: $id }) { __typename } }', {
      id: clip,
    });
    await caller.request('mutation ($id: ID!) { deleteVideo(input: { id: $id }) { __typename } }', {
      id: second,
    });
    await waitFor(() => JSON.stringify(shown()) === JSON.stringify([[first], []]), {
      describe: 'what was left',
    });
    for (const stop of stops) stop();
    for (const view of [videos, clips]) view.close();
    for (const each of [client, caller]) each.close();
  });
});
