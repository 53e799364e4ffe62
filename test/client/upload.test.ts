import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { clientOf } from './watching.ts';

const MiB = 1024 * 1024;

let api: TestApi;
let token: string;

beforeAll(async () => {
  api = await startTestApi();
  token = await api.token(await api.makeTenant(), 'tenant_admin');
});
afterAll(() => api.close());

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function fileOf(sizeBytes: number, name = 'talk.mp4'): { readonly file: File; readonly hash: string } {
  const bytes = randomBytes(sizeBytes);
  return {
    file: new File([bytes], name, { type: 'video/mp4', lastModified: 1_700_000_000_000 }),
    hash: sha256(bytes),
  };
}

async function storedHash(uuid: string): Promise<string> {
  const folder = join(api.storageDir, 'videos/original', uuid);
  const [name = ''] = await readdir(folder);
  return sha256(await readFile(join(folder, name)));
}

/** What a page's `localStorage` is. */
function memoryStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

describe('uploadVideo', () => {
  it('creates a video, shows how far it is, and ends with the file stored and its transcoding enqueued', async () => {
    const client = clientOf(api, { token });
    const { file, hash } = fileOf(20 * MiB + 17);
    const sent: number[] = [];
    const created: string[] = [];
    const video = await client.uploadVideo(file, {
      onProgress: ({ sentBytes, totalBytes }) => {
        expect(totalBytes).toBe(file.size);
        sent.push(sentBytes);
      },
      onCreated: ({ id }) => created.push(id),
    });
    expect(video).toMatchObject({ title: 'talk.mp4' });
    expect(created).toEqual([video.id]);
    expect(await storedHash(video.uuid)).toBe(hash);
    expect(sent[0]).toBe(0);
    expect(sent.at(-1)).toBe(file.size);
    expect(sent.length).toBeGreaterThanOrEqual(4);
    expect(sent).toEqual(sent.toSorted((a, b) => a - b));
    const { rows } = await api.superuser.query(
      `select count(*)::int as n from millrace.jobs where subject_id = $1`,
      [video.uuid],
    );
    expect(rows[0].n).toBe(1);
    client.close();
  });

  it('goes on where the connection broke, again and again', async () => {
    const proxy = await startCutProxy(api.server.graphqlUrl);
    onTestFinished(() => proxy.close());
    const origin = new URL(api.server.graphqlUrl).origin;
    let pieces = 0;
    const client = clientOf(api, {
      token,
      url: proxy.url,
      backoff: { firstMs: 10, maxMs: 50 },
      fetch: async (input, init) => {
        const answer = fetch(String(input).replace(origin, new URL(proxy.url).origin), init);
        // In the middle of a piece: some of it may have arrived, its answer never comes.
        if (init?.method === 'PATCH' && ++pieces % 2 === 1) setTimeout(() => proxy.cut(), 5);
        return await answer;
      },
    });
    const { file, hash } = fileOf(30 * MiB);
    const video = await client.uploadVideo(file);
    expect(pieces).toBeGreaterThan(4);
    expect(await storedHash(video.uuid)).toBe(hash);
    client.close();
  });

  it('goes on after a reload of the page where the upload is remembered, as the same video', async () => {
    const storage = memoryStorage();
    const { file, hash } = fileOf(20 * MiB);
    const leaving = new AbortController();
    const first = clientOf(api, { token });
    const ids: string[] = [];
    await expect(
      first.uploadVideo(file, {
        storage,
        signal: leaving.signal,
        onCreated: ({ id }) => ids.push(id),
        onProgress: ({ sentBytes }) => sentBytes > 0 && leaving.abort(new Error('the page is closed')),
      }),
    ).rejects.toThrow('the page is closed');
    expect(storage.items.size).toBe(1);
    first.close();
    const second = clientOf(api, { token });
    const sent: number[] = [];
    const video = await second.uploadVideo(file, {
      storage,
      onCreated: ({ id }) => ids.push(id),
      onProgress: ({ sentBytes }) => sent.push(sentBytes),
    });
    expect(ids).toEqual([video.id, video.id]);
    expect(sent[0]).toBeGreaterThanOrEqual(8 * MiB);
    expect(await storedHash(video.uuid)).toBe(hash);
    expect(storage.items.size).toBe(0);
    second.close();
  });

  it('begins again where the remembered upload is gone, and where what is remembered is no upload', async () => {
    const { file, hash } = fileOf(MiB);
    for (const forgotten of [
      JSON.stringify({ videoId: 'Video:01900000-0000-7000-8000-000000000000', url: `${api.url}/uploads/x` }),
      'nonsense',
    ]) {
      const storage = memoryStorage();
      storage.getItem = () => forgotten;
      const client = clientOf(api, { token });
      const video = await client.uploadVideo(file, { storage });
      expect(await storedHash(video.uuid)).toBe(hash);
      client.close();
    }
  });

  it('throws what the server refuses, with its field', async () => {
    const client = clientOf(api, { token });
    const { file } = fileOf(10);
    await expect(client.uploadVideo(file, { title: '' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'title',
    });
    await expect(client.uploadVideo(new File([], 'empty.mp4'))).rejects.toMatchObject({
      name: 'MillraceError',
    });
    client.close();
  });
});
