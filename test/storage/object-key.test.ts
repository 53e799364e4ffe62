import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkKeyPrefix, checkObjectKey, objectKeyProblem } from '../../src/storage/object-key.ts';
import { originalKey, playlistKey, posterKey, segmentName } from '../../src/storage/video-keys.ts';

const VIDEO_ID = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890';

test('keys that could leave the store, or that not every driver can hold, are refused with the reason', () => {
  const bad: readonly [key: string, problem: RegExp][] = [
    ['', /empty/],
    ['/etc/passwd', /absolute/],
    ['a/../b', /segment "\.\."/],
    ['..', /segment "\.\."/],
    ['a/./b', /segment "\."/],
    ['a//b', /empty segment/],
    ['a/', /empty segment/],
    ['a\0b', /NUL/],
    ['a\\..\\b', /backslash/],
    ['.meta/x', /not allowed/],
    ['a\nb', /not allowed/],
    ['a\u007fb', /not allowed/],
    ['a\ud800b', /not allowed/],
    ['a\u202egpj.exe', /not allowed/],
    ['a\ufffdb', /UTF-8/],
    [`${'a/'.repeat(512)}a`, /1025 characters/],
    ['ä'.repeat(513), /1026 bytes/],
    ['x'.repeat(256), /256 bytes/],
    ['ä'.repeat(128), /256 bytes/],
  ];
  for (const [key, problem] of bad) expect(objectKeyProblem(key), JSON.stringify(key)).toMatch(problem);
});

test.each([
  'a b',
  ' a',
  'it\'s "q"',
  'a%2e%2e/b',
  'ä',
  'a\u0308',
  '会議 🎬 👩‍💻.mp4',
  '#?&+=;:|*<>.mp4',
  '~',
  '-rf',
])('any other name is taken: %j', (key) => {
  expect(objectKeyProblem(`videos/original/${key}`)).toBeNull();
});

test('the error names the key and what is allowed, and shows control characters harmlessly', () => {
  expect(() => checkObjectKey('a\u001b[2J')).toThrow(
    expect.objectContaining({
      code: 'InvalidKey',
      message: expect.stringContaining('"a\\u001b[2J"'),
      details: { field: 'key', allowed: expect.stringContaining('1 to 1024 bytes') },
    }),
  );
});

test('whatever text is accepted as a key stays below the root and is its own normal form', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('a', '..', '.', '', '/', '\\', '\0', '-', 'é', '%2e'), { maxLength: 12 })
      .map((parts) => parts.join('/')),
    fc
      .array(fc.constantFrom('a', '..', '.', '/', '_', '-', 'b.c'), { maxLength: 12 })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(anyText, (key) => {
      if (objectKeyProblem(key) !== null) return;
      expect(relative('/root/store', join('/root/store', key))).toBe(key);
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
    }),
    { numRuns: 2000 },
  );
});

test('a prefix is empty or ends at a slash, so that it never covers a neighbour with a longer name', () => {
  expect(checkKeyPrefix('')).toBe('');
  expect(checkKeyPrefix('videos/proxy/1/')).toBe('videos/proxy/1/');
  for (const prefix of ['videos', '/', '../', 'a//', 'a/../']) {
    expect(() => checkKeyPrefix(prefix), prefix).toThrow(expect.objectContaining({ code: 'InvalidKey' }));
  }
});

test('video keys are those of the contract, and only a UUID makes one', () => {
  expect(originalKey(VIDEO_ID)).toBe(`videos/original/${VIDEO_ID}/master.mp4`);
  expect(originalKey(VIDEO_ID, 'Holiday.MOV')).toBe(`videos/original/${VIDEO_ID}/master.mov`);
  expect(originalKey(VIDEO_ID, 'evil.mp4/../../x.sh')).toBe(`videos/original/${VIDEO_ID}/master.mp4`);
  expect(playlistKey(VIDEO_ID.toUpperCase())).toBe(`videos/proxy/${VIDEO_ID}/index.m3u8`);
  expect(segmentName(3, 12)).toBe('segment_r3_12.ts');
  expect(posterKey(VIDEO_ID)).toBe(`thumbs/${VIDEO_ID}/poster.jpg`);
  expect(() => playlistKey('../x')).toThrow(expect.objectContaining({ code: 'InvalidKey' }));
});
