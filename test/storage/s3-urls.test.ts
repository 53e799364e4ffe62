import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createS3Store } from '../../src/storage/s3/s3-store.ts';
import { createS3Urls } from '../../src/storage/s3/s3-urls.ts';
import { createUrlSigner, type SignedUrl, type UrlSigner } from '../../src/storage/url-signer.ts';
import { startTestS3, type TestS3 } from '../support/s3-server.ts';

let s3: TestS3;
let urls: UrlSigner;
const own = createUrlSigner({ baseUrl: 'http://api.test/files', secrets: [Buffer.alloc(32, 1)] });
beforeAll(async () => {
  s3 = await startTestS3();
  urls = createS3Urls(s3.settings, own);
});
afterAll(() => s3.close());

async function send(signed: SignedUrl, body?: string, headers: Record<string, string> = {}) {
  const response = await fetch(signed.url, {
    method: signed.method,
    headers: { connection: 'close', ...signed.headers, ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe('a presigned URL of a bucket', () => {
  test('puts a file and gets it again, whole and in ranges, with the type that was signed', async () => {
    const put = await urls.put('a/b.mp4', { maxSizeBytes: 100, expiresInSeconds: 60 });
    expect(put).toMatchObject({ method: 'PUT', headers: { 'content-type': 'video/mp4' } });
    expect(await send(put, 'the bytes')).toMatchObject({ status: 200 });
    const get = await urls.get('a/b.mp4', { expiresInSeconds: 60 });
    const whole = await send(get);
    expect(whole).toMatchObject({ status: 200, text: 'the bytes' });
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(await send(get, undefined, { range: 'bytes=4-6' })).toMatchObject({ status: 206, text: 'byt' });
  });

  test('carries no checksum of the body that it does not know', async () => {
    const { url } = await urls.put('c.mp4', { maxSizeBytes: 100, expiresInSeconds: 60 });
    const names = [...new URL(url).searchParams.keys()];
    expect(names.filter((name) => /checksum|crc|sdk/i.test(name))).toEqual([]);
    expect(names).toContain('X-Amz-Signature');
  });

  test('takes no other type, no other size than the one named, and no header that was not signed', async () => {
    const put = await urls.put('d.mp4', {
      maxSizeBytes: 5,
      sizeBytes: 5,
      contentType: 'video/webm',
      expiresInSeconds: 60,
    });
    expect(put.headers['content-type']).toBe('video/webm');
    expect((await send(put, '12345', { 'content-type': 'text/html' })).text).toContain('DoesNotMatch');
    expect((await send(put, '123456')).text).toContain('DoesNotMatch');
    expect((await send(put, '12345', { 'x-amz-meta-sha256': '0'.repeat(64) })).status).toBe(403);
    expect((await send(put, '12345')).status).toBe(200);
  });

  test('asks the bucket to serve a file as its key or its caller says, whatever was stored, so that nothing comes as a page', async () => {
    for (const stored of ['text/html', 'image/svg+xml']) {
      for (const [key, served] of [
        [`${stored}/master.mp4`, 'video/mp4'],
        [`${stored}/page.html`, 'application/octet-stream'],
        [`${stored}/bare`, 'application/octet-stream'],
      ] as const) {
        const put = await urls.put(key, { maxSizeBytes: 100, contentType: stored, expiresInSeconds: 60 });
        expect((await send(put, '<script>alert(1)</script>')).status).toBe(200);
        for (const [contentType, expected] of [
          [undefined, served],
          ['video/webm', 'video/webm'],
        ] as const) {
          const got = await urls.get(key, { expiresInSeconds: 60, ...(contentType && { contentType }) });
          // The test server does not know it, but holds the signature to it.
          expect(new URL(got.url).searchParams.get('response-content-type')).toBe(expected);
          expect((await send(got)).status).toBe(200);
          for (const instead of ['text%2Fhtml', '']) {
            const changed = got.url.replace(
              `response-content-type=${encodeURIComponent(expected)}`,
              `response-content-type=${instead}`,
            );
            expect((await send({ ...got, url: changed })).status).toBe(403);
          }
        }
      }
    }
  });

  test('does not replace a file that is there, unless that is switched off', async () => {
    const options = { maxSizeBytes: 100, expiresInSeconds: 60 };
    const put = await urls.put('e.mp4', options);
    expect((await send(put, 'first')).status).toBe(200);
    expect((await send(put, 'second')).status).toBe(412);
    expect((await send({ ...put, headers: { 'content-type': 'video/mp4' } }, 'second')).status).toBe(403);
    const free = createS3Urls({ ...s3.settings, conditionalUploads: false }, own);
    expect((await send(await free.put('e.mp4', options), 'third')).status).toBe(200);
    expect((await send(await urls.get('e.mp4', { expiresInSeconds: 60 }))).text).toBe('third');
  });

  test('is good for its method, its key and its time alone', async () => {
    const put = await urls.put('f.mp4', { maxSizeBytes: 100, expiresInSeconds: 60 });
    await send(put, 'x');
    const get = await urls.get('f.mp4', { expiresInSeconds: 60 });
    expect((await send({ ...get, method: 'PUT' }, 'y')).status).toBe(403);
    expect((await send({ ...get, url: get.url.replace('f.mp4', 'a/b.mp4') })).status).toBe(403);
    const past = createS3Urls(s3.settings, own, () => Date.now() - 120_000);
    const old = await past.get('f.mp4', { expiresInSeconds: 60 });
    expect(old.expiresAt.getTime()).toBeLessThan(Date.now());
    expect((await send(old)).status).toBe(403);
    expect((await send({ ...old, url: old.url.replace('Expires=60', 'Expires=6000') })).status).toBe(403);
  });

  test('says when it ends, also where the credentials end sooner', async () => {
    const nowMs = Date.UTC(2026, 0, 1, 0, 0, 0, 700);
    const at = createS3Urls(s3.settings, own, () => nowMs);
    const { url, expiresAt } = await at.get('g', { expiresInSeconds: 90 });
    const { 'X-Amz-Date': signed = '', 'X-Amz-Expires': seconds } = Object.fromEntries(
      new URL(url).searchParams,
    );
    const signedMs = Date.parse(signed.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    expect(expiresAt.getTime()).toBe(signedMs + 1000 * Number(seconds));
    expect(signedMs).toBeLessThanOrEqual(nowMs);
    await expect(at.get('g', { expiresInSeconds: 0 })).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(at.get('g', { expiresInSeconds: 7 * 24 * 3600 + 1 })).rejects.toMatchObject({
      code: 'InvalidArgument',
    });
    const soon = new Date(nowMs + 5_000);
    const temporary = createS3Urls(
      { ...s3.settings, credentials: { ...s3.settings.credentials, expiration: soon } as never },
      own,
      () => nowMs,
    );
    expect((await temporary.get('g', { expiresInSeconds: 90 })).expiresAt).toEqual(soon);
  });

  test('stays the same for half of its time, so that a browser has it cached', async () => {
    const startMs = Date.UTC(2026, 0, 1);
    const seen = new Set<string>();
    for (let second = 0; second < 600; second++) {
      const at = createS3Urls(s3.settings, own, () => startMs + 1000 * second);
      const { url, expiresAt } = await at.get('videos/proxy/1/poster.jpg', { expiresInSeconds: 300 });
      seen.add(url);
      const leftSeconds = (expiresAt.getTime() - startMs) / 1000 - second;
      expect(leftSeconds).toBeGreaterThanOrEqual(150);
      expect(leftSeconds).toBeLessThanOrEqual(300);
    }
    expect(seen.size).toBeLessThanOrEqual(5);
  });

  test('says how long the file may be cached and under which name it is saved', async () => {
    const put = await urls.put('videos/h.mp4', { maxSizeBytes: 100, expiresInSeconds: 60 });
    await send(put, 'x');
    const get = await urls.get('videos/h.mp4', {
      expiresInSeconds: 3600,
      fileName: 'Mein Vortrag über 会議.mp4',
    });
    // The test server knows neither of the two, but holds the signature to them.
    const asked = new URL(get.url).searchParams;
    expect(asked.get('response-cache-control')).toBe('private, max-age=300');
    expect(asked.get('response-content-disposition')).toContain(
      "filename*=UTF-8''Mein%20Vortrag%20%C3%BCber%20",
    );
    expect((await send(get)).status).toBe(200);
    const changed = get.url.replace('Mein', 'Dein');
    expect((await send({ ...get, url: changed })).status).toBe(403);
  });

  test('has the public address and the key prefix, and refuses malformed keys', async () => {
    const away = createS3Urls(
      { ...s3.settings, publicEndpoint: 'https://files.test:9000', keyPrefix: 'in/stall/' },
      own,
    );
    const url = new URL((await away.get('a/b', { expiresInSeconds: 60 })).url);
    expect(url.origin + url.pathname).toBe(`https://files.test:9000/${s3.bucket}/in/stall/a/b`);
    for (const key of ['../a', 'a//b', '']) {
      await expect(urls.get(key, { expiresInSeconds: 60 })).rejects.toMatchObject({ code: 'InvalidKey' });
      await expect(urls.put(key, { maxSizeBytes: 1, expiresInSeconds: 60 })).rejects.toMatchObject({
        code: 'InvalidKey',
      });
    }
  });

  test('for everything below a prefix it stays one of ours', async () => {
    const { url } = await urls.getBelow('videos/a/', 'videos/a/index.m3u8', { expiresInSeconds: 60 });
    const [, token = '', key = ''] = /\/files\/([^/]+)\/(.+)$/.exec(url) ?? [];
    expect(urls.verify(token, { action: 'get', key })).toMatchObject({ ok: true });
    expect(urls.verify(token, { action: 'get', key: 'videos/b/x.ts' })).toMatchObject({ ok: false });
  });

  test('a store with a wrong secret is refused for good, and says no secret', async () => {
    const store = createS3Store({
      ...s3.settings,
      credentials: { accessKeyId: 'TESTKEY', secretAccessKey: 'wrong-secret' },
    });
    try {
      const error = await store.put('k', { stream: Readable.from(['x']) }).catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'PermanentError', type: 'StorageDenied' });
      expect(error.message).toContain('SignatureDoesNotMatch');
      expect(JSON.stringify({ ...error, m: error.message })).not.toContain('wrong-secret');
      await expect(store.stat('k')).rejects.toMatchObject({ type: 'StorageDenied' });
    } finally {
      store.close?.();
    }
  });
});
