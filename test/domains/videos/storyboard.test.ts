import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalStore } from '../../../src/storage/local-store.ts';
import { createS3Store } from '../../../src/storage/s3/s3-store.ts';
import { storyboardKey, storyboardPrefix } from '../../../src/storage/video-keys.ts';
import { bytes } from '../../storage/stores.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { startTestS3, type TestS3 } from '../../support/s3-server.ts';

const TRACK = 'WEBVTT\n\n00:00:00.000 --> 00:00:04.000\nabc.jpg#xywh=0,0,160,90\n\n';

let s3: TestS3;
beforeAll(async () => {
  s3 = await startTestS3();
});
afterAll(() => s3.close());

describe.each(['local', 's3'] as const)('with files on %s storage, a storyboard', (kind) => {
  let api: TestApi;
  let member: string;
  let tenantId: string;

  beforeAll(async () => {
    api = await startTestApi({ env: kind === 's3' ? s3.env : {} });
    tenantId = await api.makeTenant();
    member = await api.token(tenantId, 'member');
  });
  afterAll(() => api.close());

  const makeVideo = async (): Promise<string> => {
    const { rows } = await api.superuser.query(
      `insert into millrace.videos (tenant_id, title, original_key, status) values ($1, 'v', 'k', 'ready') returning id`,
      [tenantId],
    );
    return rows[0].id;
  };
  const get = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { ...init, headers: { connection: 'close' } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('is a track whose names lead to its pictures, from every origin, and to nothing else', async () => {
    const [videoId, without] = [await makeVideo(), await makeVideo()];
    const store = kind === 's3' ? createS3Store(s3.settings) : await openLocalStore(api.storageDir);
    await store.put(storyboardKey(videoId), bytes(TRACK));
    await store.put(`${storyboardPrefix(videoId)}abc.jpg`, bytes('a picture'));
    await store.put(`thumbs/${videoId}/poster.jpg`, bytes('poster'));
    store.close?.();
    await api.superuser.query(
      `insert into millrace.artifacts (tenant_id, subject_type, subject_id, kind, key, size_bytes, sha256, content_type)
       values ($1, 'video', $2, 'storyboard', $3, 1, repeat('0', 64), 'text/vtt; charset=utf-8')`,
      [tenantId, videoId, storyboardKey(videoId)],
    );
    const ask = async () => {
      const answer = await api.query(member, '{ videos { nodes { uuid storyboard { url expiresAt } } } }');
      expect(answer.errors).toEqual([]);
      const nodes = answer.data.videos.nodes as readonly {
        readonly uuid: string;
        readonly storyboard: { readonly url: string; readonly expiresAt: string } | null;
      }[];
      return new Map(nodes.map((node) => [node.uuid, node.storyboard]));
    };
    const storyboards = await ask();
    expect(storyboards.get(without)).toBeNull();
    expect(await ask()).toEqual(storyboards);
    const url = storyboards.get(videoId)?.url ?? '';

    // Read without a redirect: the names in it are relative to this very URL.
    const track = await get(url, { redirect: 'error' });
    expect([track.status, track.text]).toEqual([200, TRACK]);
    expect(track.headers.get('content-type')).toBe('text/vtt; charset=utf-8');
    expect(track.headers.get('access-control-allow-origin')).toBe('*');
    const picture = await get(new URL('abc.jpg#xywh=0,0,160,90', url).href);
    expect([picture.status, picture.text]).toEqual([200, 'a picture']);
    const refused = [
      new URL('../poster.jpg', url).href,
      url.replace(videoId, without),
      url.replace(/\/files\/[^/]+\//, '/files/x/'),
    ];
    for (const one of refused) expect((await get(one)).status).toBe(403);
  });
});
