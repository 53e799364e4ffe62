import { expect, test } from 'vitest';
import type { HlsPlaylist } from '../../../../src/storage/hls-playlist.ts';
import { verifyHls, withTrueEnd } from '../../../../workers/handlers/videos/verify-hls.ts';

const SECONDS = [4, 4, 2];

function playlist(overrides: Partial<HlsPlaylist> = {}): HlsPlaylist {
  const segments = SECONDS.map((durationSeconds, index) => ({
    name: `segment_r1_${index}.ts`,
    durationSeconds,
  }));
  return { segments, complete: true, targetDurationSeconds: 4, durationSeconds: 10, ...overrides };
}

function stored(sizes: readonly number[] = [188, 376, 188]) {
  return sizes.map((sizeBytes, index) => {
    return { key: `videos/proxy/1/segment_r1_${index}.ts`, sizeBytes, sha256: '', contentType: 'video/mp2t' };
  });
}

function source(endSeconds: number, pictureEndSeconds = endSeconds) {
  return { endSeconds, pictureEndSeconds };
}

test('a stream that is as long as its source, in whole segments, is accepted', () => {
  expect(() => verifyHls(playlist(), stored(), source(10), 10, '')).not.toThrow();
  expect(() => verifyHls(playlist(), stored(), source(10.8), 10, '')).not.toThrow();
  // Sound that goes on after the picture, or the other way round, is no damage.
  expect(() => verifyHls(playlist(), stored(), source(30, 10), 10, '')).not.toThrow();
});

test('segments that are missing, empty or cut off, and a playlist without its end, are worth another try', () => {
  const retried = expect.objectContaining({ name: 'MediaToolError' });
  expect(() => verifyHls(playlist({ complete: false }), stored(), source(10), 10, '')).toThrow(retried);
  expect(() => verifyHls(playlist(), stored().slice(0, 2), source(10), 10, '')).toThrow(retried);
  expect(() => verifyHls(playlist(), stored([188, 0, 188]), source(10), 10, '')).toThrow(retried);
  expect(() => verifyHls(playlist(), stored([188, 4096, 188]), source(10), 10, '')).toThrow(retried);
  expect(() => verifyHls(playlist(), stored(), source(5), 5, '')).toThrow(retried);
});

test('a source that could be read only in part is to blame itself, with ffmpeg\u2019s own words', () => {
  expect(() =>
    verifyHls(playlist(), stored(), source(60), 10, '[h264 @ 0x55d0] Invalid NAL unit size'),
  ).toThrow(
    expect.objectContaining({
      name: 'PermanentError',
      type: 'SourceDamaged',
      message:
        'Only 10.0 s of 60.0 s of the video could be read: the file is cut off or damaged ([h264] Invalid NAL unit size)',
    }),
  );
});

test('the last segment lasts to the end of the source, however many pictures are in it', () => {
  const { segments } = playlist();
  expect(withTrueEnd(segments, 11.5).map(({ durationSeconds }) => durationSeconds)).toEqual([4, 4, 3.5]);
  expect(withTrueEnd(segments, 8).map(({ durationSeconds }) => durationSeconds)).toEqual([4, 4, 0.02]);
  expect(withTrueEnd([], 8)).toEqual([]);
});
