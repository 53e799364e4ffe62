import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUrlSigner, type SignedUrl } from '../../src/storage/url-signer.ts';

const BASE = 'http://127.0.0.1:4000/files';
const SECRET = Buffer.alloc(32, 7);
const KEY = 'videos/proxy/1/index.m3u8';
const NOW_MS = 1_800_000_000_000;

function signerAt(nowMs: number, secrets: readonly [Uint8Array, ...Uint8Array[]] = [SECRET]) {
  return createUrlSigner({ baseUrl: BASE, secrets, nowMs: () => nowMs });
}

function tokenOf({ url }: Pick<SignedUrl, 'url'>): string {
  return url.slice(BASE.length + 1).split('/')[0] ?? '';
}

test('a URL for one object reads that object until it expires, and nothing else', async () => {
  const signed = await signerAt(NOW_MS).get(KEY, { expiresInSeconds: 60 });
  const token = tokenOf(signed);
  expect(signed).toMatchObject({ method: 'GET', url: `${BASE}/${token}/${KEY}` });
  const endsMs = signed.expiresAt.getTime();
  const signer = signerAt(NOW_MS);
  expect(signer.verify(token, { action: 'get', key: KEY })).toMatchObject({
    ok: true,
    grant: { action: 'get', key: KEY },
  });
  expect(signer.verify(token, { action: 'get', key: 'videos/proxy/1/other.ts' })).toEqual({
    ok: false,
    reason: 'wrongKey',
  });
  expect(signer.verify(token, { action: 'put', key: KEY })).toEqual({ ok: false, reason: 'wrongAction' });
  expect(signerAt(endsMs - 1).verify(token, { action: 'get', key: KEY }).ok).toBe(true);
  expect(signerAt(endsMs).verify(token, { action: 'get', key: KEY })).toEqual({
    ok: false,
    reason: 'expired',
  });
});

test('the segments that a playlist names relatively resolve to URLs of the same permission', async () => {
  const signer = signerAt(NOW_MS);
  const { url } = await signer.getBelow('videos/proxy/1/', KEY, { expiresInSeconds: 60 });
  const segmentUrl = new URL('segment_r1_0.ts', url).href;
  expect(segmentUrl).toBe(url.replace('index.m3u8', 'segment_r1_0.ts'));
  const token = tokenOf({ url: segmentUrl });
  expect(signer.verify(token, { action: 'get', key: 'videos/proxy/1/segment_r1_0.ts' }).ok).toBe(true);
  expect(signer.verify(token, { action: 'get', key: 'videos/proxy/10/index.m3u8' })).toEqual({
    ok: false,
    reason: 'wrongKey',
  });
  await expect(signer.getBelow('videos/proxy/2/', KEY, { expiresInSeconds: 60 })).rejects.toMatchObject({
    code: 'InvalidKey',
  });
  await expect(signer.getBelow('', KEY, { expiresInSeconds: 60 })).rejects.toMatchObject({
    code: 'InvalidKey',
  });
});

test('a URL stays the same for half of its time, and has between half and all of it whenever it is asked for', async () => {
  for (const keys of ['get', 'getBelow', 'getPart'] as const) {
    const at = async (nowMs: number): Promise<SignedUrl> => {
      const signer = signerAt(nowMs);
      if (keys === 'get') return signer.get(KEY, { expiresInSeconds: 3600 });
      if (keys === 'getBelow') return signer.getBelow('videos/proxy/1/', KEY, { expiresInSeconds: 3600 });
      return signer.getPart(KEY, { startMs: 0, endMs: 1000 }, { expiresInSeconds: 3600 });
    };
    const seen = new Map<string, number>();
    for (let minute = 0; minute < 24 * 60; minute++) {
      const nowMs = NOW_MS + 60_000 * minute;
      const { url, expiresAt } = await at(nowMs);
      seen.set(url, (seen.get(url) ?? 0) + 1);
      const leftSeconds = (expiresAt.getTime() - nowMs) / 1000;
      expect(leftSeconds).toBeGreaterThanOrEqual(1800);
      expect(leftSeconds).toBeLessThanOrEqual(3600);
    }
    expect(seen.size).toBeLessThanOrEqual(49);
  }
});

test('the URLs of different objects change at different times', async () => {
  const changes = new Set<number>();
  for (let object = 0; object < 20; object++) {
    const { expiresAt } = await signerAt(NOW_MS).get(`frames/${object}.jpg`, { expiresInSeconds: 3600 });
    changes.add(expiresAt.getTime());
  }
  expect(changes.size).toBeGreaterThan(15);
});

test('what is opened until the last moment can be played to its end', async () => {
  const life = { expiresInSeconds: 60, playSeconds: 6 * 3600 };
  const { url, expiresAt } = await signerAt(NOW_MS).getBelow('videos/proxy/1/', KEY, life);
  const openedMs = expiresAt.getTime();
  expect(openedMs).toBeLessThanOrEqual(NOW_MS + 60_000);
  const atMs = (ms: number) =>
    signerAt(ms).verify(tokenOf({ url }), { action: 'get', key: 'videos/proxy/1/segment_r1_0.ts' }).ok;
  expect(atMs(openedMs + 6 * 3600_000 - 1)).toBe(true);
  expect(atMs(openedMs + 6 * 3600_000)).toBe(false);
});

test('a URL ends no later than it may, however long it would be good', async () => {
  const notAfter = new Date(NOW_MS + 10_000);
  const { url, expiresAt } = await signerAt(NOW_MS).get(KEY, {
    expiresInSeconds: 60,
    playSeconds: 600,
    notAfter,
  });
  expect(expiresAt).toEqual(notAfter);
  expect(signerAt(NOW_MS + 10_000).verify(tokenOf({ url }), { action: 'get', key: KEY }).ok).toBe(false);
});

test('a URL for writing carries its size limit and content type', async () => {
  const signer = signerAt(NOW_MS);
  const key = 'videos/original/1/master.mp4';
  const signed = await signer.put(key, {
    maxSizeBytes: 1000,
    contentType: 'video/mp4',
    expiresInSeconds: 60,
  });
  expect(signed).toMatchObject({ method: 'PUT', headers: { 'content-type': 'video/mp4' } });
  expect(signer.verify(tokenOf(signed), { action: 'put', key })).toMatchObject({
    ok: true,
    grant: { action: 'put', key, maxSizeBytes: 1000, contentType: 'video/mp4' },
  });
  expect(signer.verify(tokenOf(signed), { action: 'get', key })).toEqual({
    ok: false,
    reason: 'wrongAction',
  });
});

test('a token that was changed anywhere, or signed with another secret, is refused', async () => {
  const token = tokenOf(await signerAt(NOW_MS).get(KEY, { expiresInSeconds: 60 }));
  const signer = signerAt(NOW_MS);
  fc.assert(
    fc.property(fc.nat({ max: token.length - 1 }), fc.constantFrom(...'abcXYZ019-_.'), (index, letter) => {
      const changed = token.slice(0, index) + letter + token.slice(index + 1);
      // The last letter of the signature has two bits that decode to nothing.
      if (changed === token || index === token.length - 1) return;
      expect(signer.verify(changed, { action: 'get', key: KEY }).ok).toBe(false);
    }),
  );
  const other = signerAt(NOW_MS, [Buffer.alloc(32, 8)]);
  expect(other.verify(token, { action: 'get', key: KEY })).toEqual({ ok: false, reason: 'badSignature' });
  const rotated = signerAt(NOW_MS, [Buffer.alloc(32, 8), SECRET]);
  expect(rotated.verify(token, { action: 'get', key: KEY }).ok).toBe(true);
});

test('no text that was not signed is a token', () => {
  const signer = signerAt(NOW_MS);
  const text = fc.oneof(
    fc.string(),
    fc.base64String().map((body) => `${body}.${'A'.repeat(43)}`),
    fc.constant('x'.repeat(100_000)),
  );
  fc.assert(
    fc.property(text, (token) => {
      expect(signer.verify(token, { action: 'get', key: KEY })).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/^(malformed|badSignature)$/),
      });
    }),
  );
});

test('an expiry out of bounds and a short secret are refused', async () => {
  await expect(signerAt(NOW_MS).get(KEY, { expiresInSeconds: 0 })).rejects.toMatchObject({
    code: 'InvalidArgument',
  });
  await expect(signerAt(NOW_MS).get(KEY, { expiresInSeconds: 604_801 })).rejects.toMatchObject({
    code: 'InvalidArgument',
  });
  expect(() => signerAt(NOW_MS, [Buffer.alloc(8)])).toThrow(
    expect.objectContaining({ code: 'ConfigInvalid' }),
  );
});
