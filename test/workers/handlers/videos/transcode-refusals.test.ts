import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  FAST_H264,
  LIMITS,
  makeMedia,
  makeTranscodeBench,
  mediaOf,
  npmMedia,
  PICTURE,
  SAMPLE_PATH,
  TONE,
  type TranscodeBench,
  VIDEO_ID,
} from '../../../support/media.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';

async function storedKeys(bench: TranscodeBench): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bench.store.list('')) keys.push(key);
  return keys;
}

function permanent(type: string, message: RegExp) {
  return { name: 'PermanentError', type, message: expect.stringMatching(message) };
}

describe.each(['npm', 'system'] as const)('with the ffmpeg from %s', (source) => {
  test('what is no video that we take is refused for good, with a message that says why', async (context) => {
    const media = await mediaOf(source, context);
    const directory = await makeTempDir();
    const at = (name: string) => join(directory, name);
    const clip = await makeMedia(directory, [...PICTURE('320x180', 2), ...TONE(2), ...FAST_H264, 'clip.mp4']);
    await writeFile(at('text.mp4'), 'This is a letter, not a film.\n'.repeat(100));
    await writeFile(at('empty.mp4'), '');
    await writeFile(at('concat.mp4'), `ffconcat version 1.0\nfile '${clip}'\n`);
    await writeFile(
      at('playlist.mp4'),
      '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
    );
    // The index of this file is at its end, as a phone writes it.
    await writeFile(at('cut.mp4'), (await readFile(clip)).subarray(0, 20_000));
    await makeMedia(directory, [...TONE(1), '-c:a', 'aac', 'sound.mp4']);
    const cover = await makeMedia(directory, [...PICTURE('100x100', 1), '-frames:v', '1', 'cover.png']);
    await makeMedia(directory, [
      ...TONE(1),
      '-i',
      cover,
      '-map',
      '0',
      '-map',
      '1',
      '-c:a',
      'aac',
      '-c:v',
      'copy',
      '-disposition:v:0',
      'attached_pic',
      'covered.m4a',
    ]);

    const refusals: readonly [name: string, type: string, message: RegExp][] = [
      ['text.mp4', 'NotAVideo', /not a video/],
      ['empty.mp4', 'NotAVideo', /not a video/],
      ['concat.mp4', 'UnsupportedFormat', /a concat file/],
      ['playlist.mp4', '', /a hls file|not a video/],
      ['cut.mp4', 'MoovMissing', /cut off/],
      ['sound.mp4', 'NotAVideo', /no video stream \(sound only\)/],
      ['covered.m4a', 'NotAVideo', /no video stream \(sound with a cover picture\)/],
      ['cover.png', 'UnsupportedFormat', /a png_pipe file/],
    ];
    for (const [name, type, message] of refusals) {
      const allowed = type === 'MoovMissing' ? /index/ : /; allowed: a video in MP4, MOV/;
      const bench = await makeTranscodeBench(media, at(name));
      const refused = permanent(type, message);
      await expect(bench.run(), name).rejects.toMatchObject(
        type === '' ? { ...refused, type: expect.any(String) } : refused,
      );
      await expect(bench.run(), name).rejects.toMatchObject({
        message: expect.not.stringContaining(directory),
      });
      await expect(bench.run(), name).rejects.toThrow(allowed);
      expect(await storedKeys(bench), name).toEqual([bench.originalKey]);
      expect(await readdir(bench.tempParent), name).toEqual([]);
    }
  });

  test('a video whose end is missing is not passed off as a shorter one', async (context) => {
    const media = await mediaOf(source, context);
    const clip = await makeMedia(await makeTempDir(), [
      ...PICTURE('320x180', 20),
      ...FAST_H264,
      '-movflags',
      '+faststart',
      'clip.mp4',
    ]);
    await truncate(clip, Math.floor((await readFile(clip)).length / 2));
    const bench = await makeTranscodeBench(media, clip);
    await expect(bench.run()).rejects.toMatchObject(
      permanent('SourceDamaged', /^Only \d+\.\d s of 20\.0 s of the video could be read/),
    );
    expect(await storedKeys(bench)).toEqual([bench.originalKey]);
  });

  test('a video that is too long is refused, also when it does not state its length', async (context) => {
    const media = await mediaOf(source, context);
    const limits = { ...LIMITS, maxVideoSeconds: 3 };
    const declared = await makeTranscodeBench(media, SAMPLE_PATH);
    await expect(declared.run({}, limits)).rejects.toMatchObject(
      permanent('VideoTooLong', /23\.8 s or more; allowed: 3 s/),
    );
    const webm = await makeMedia(await makeTempDir(), [
      ...[
        ...PICTURE('640x360', 20),
        '-c:v',
        'libvpx',
        '-deadline',
        'realtime',
        '-cpu-used',
        '8',
        '-f',
        'webm',
        '-live',
        '1',
        'long.webm',
      ],
    ]);
    const undeclared = await makeTranscodeBench(media, webm);
    await expect(undeclared.run({}, limits)).rejects.toMatchObject(permanent('VideoTooLong', /allowed: 3 s/));
    expect(await storedKeys(undeclared)).toEqual([undeclared.originalKey]);
  });
});

test('a missing original, one that is too large and a payload of another video are permanent errors', async () => {
  const media = await npmMedia();
  const absent = await makeTranscodeBench(media, null);
  await expect(absent.run()).rejects.toMatchObject(
    permanent('S3ObjectNotFound', new RegExp(`videos/original/${VIDEO_ID}/master.mp4`)),
  );

  const bench = await makeTranscodeBench(media, SAMPLE_PATH);
  await expect(bench.run({}, { ...LIMITS, maxSizeBytes: 1000 })).rejects.toMatchObject(
    permanent('ObjectTooLarge', /allowed: 1000/),
  );

  const other = '0198f0a0-0000-7000-8000-000000000002';
  const payloads = [
    { video_id: VIDEO_ID, s3_original_path: `videos/original/${other}/master.mp4` },
    { video_id: VIDEO_ID, s3_original_path: `videos/original/${VIDEO_ID}/../${other}/master.mp4` },
    { video_id: other, s3_original_path: `videos/original/${other}/master.mp4` },
  ];
  for (const payload of payloads) {
    await expect(bench.run({ payload }), JSON.stringify(payload)).rejects.toMatchObject({
      name: 'PermanentError',
      type: 'InvalidPayload',
    });
  }
  await expect(bench.run({ subject: null })).rejects.toMatchObject({ type: 'InvalidPayload' });
});

test('a worker without ffmpeg leaves the job to be tried by another', async () => {
  const bench = await makeTranscodeBench(await npmMedia(), SAMPLE_PATH);
  const own = { media: null, video: { begin: async () => {} } };
  await expect(bench.run({ own })).rejects.toMatchObject({ name: 'ToolMissing' });
});
