import { expect, test } from 'vitest';
import { cacheControlOf } from '../../src/storage/cache-control.ts';

const ID = '01890000-0000-7000-8000-000000000000';

test.each([
  [`videos/proxy/${ID}/segment_r1_0.ts`, 'private, max-age=3600, immutable'],
  [`videos/proxy/${ID}/segment_r12_480p_7.ts`, 'private, max-age=3600, immutable'],
  [`videos/proxy/${ID}/index.m3u8`, 'private, no-cache'],
  [`videos/proxy/${ID}/live_r1.m3u8`, 'private, no-cache'],
  [`videos/clips/${ID}/${ID}.mp4`, 'private, max-age=300'],
  [`videos/original/${ID}/segment_r1_0.ts`, 'private, max-age=300'],
  [`thumbs/${ID}/poster.jpg`, 'private, max-age=300'],
  [`frames/${ID}/1000.jpg`, 'private, max-age=300'],
  ['previews/mine.jpg', 'private, no-cache'],
  [`logs/${ID}.json`, 'private, no-cache'],
])('the object %s may be cached as %s says', (key, header) => {
  expect(cacheControlOf(key, 3600)).toBe(header);
});

test('nothing is kept for longer than its URL is good', () => {
  expect(cacheControlOf(`thumbs/${ID}/poster.jpg`, 20)).toBe('private, max-age=20');
});
