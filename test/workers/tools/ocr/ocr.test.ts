import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import type { Database, Scope, Transaction } from '../../../../src/db/database.ts';
import type { FrameTextStore, ReadFrame, Reading } from '../../../../src/domains/search/stores/contract.ts';
import { createFrameTextStore } from '../../../../src/domains/search/stores/frame-text-store.ts';
import { ocr } from '../../../../src/domains/videos/definitions/ocr.ts';
import { type LocalObjectStore, openLocalStore } from '../../../../src/storage/local-store.ts';
import { frameKey, frameManifestKey } from '../../../../src/storage/video-keys.ts';
import type { MediaTools, OcrTools } from '../../../../workers/handler.ts';
import { openTesseractJs } from '../../../../workers/tools/ocr/tesseract-js.ts';
import { searchScene } from '../../../domains/search/scene.ts';
import { openBrowser } from '../../../support/browser.ts';
import { npmMedia } from '../../../support/media.ts';
import {
  claimOcr,
  type FramedVideo,
  makeFramedVideo,
  npmOcr,
  type Print,
  print,
  systemOcr,
} from '../../../support/ocr-bench.ts';
import { openTestQueue, type TestQueue } from '../../../support/queue.ts';

const LIGHT =
  '<b>@mill_shop</b> Monday at 10:40<p>Build your own model mill this weekend, for $24.99</p><p>Free delivery #modelmill';
const WINDOWS =
  '<div style="background: #111; color: #eee; padding: 8px 12px">Twelve jobs wait in the dark window</div>' +
  '<p>Light letters and dark ones on one page</p>' +
  '<div style="background: #1d4f91; color: #fff; padding: 8px 12px">White print stands on a blue button</div>';
const NAMES = '<p>Frau Müller wohnt in der Straße am Fluss</p><p>Émile arrive à la fête avec Zoé</p>';
const GERMAN =
  '<p>The mill stands by the river and it works</p><p>Die Mühle steht am Fluss und mahlt für die Stadt</p>';

let folder: string;
let q: TestQueue;
let store: LocalObjectStore;
let media: MediaTools;
let prints: {
  readonly light: Print;
  readonly windows: Print;
  readonly german: Print;
  readonly names: Print;
  readonly short: Print;
};
let npm: OcrTools;
let tenantId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-test-'));
  [q, store, media] = await Promise.all([openTestQueue([ocr]), openLocalStore(folder), npmMedia()]);
  tenantId = await q.makeTenant();
  npm = await npmOcr();
  const browser: Browser = await openBrowser();
  try {
    const page = await browser.newPage();
    prints = {
      light: await print(page, LIGHT),
      windows: await print(page, WINDOWS),
      german: await print(page, GERMAN),
      names: await print(page, NAMES),
      short: await print(page, '<p>Short line of print</p>'),
    };
  } finally {
    await browser.close();
  }
});
afterAll(async () => {
  await q.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Words of the print that were read to the letter are where the browser has put them, and nearly all were: a
 * reader takes a letter for another here and there, more often the one of npm in windows and on buttons.
 * `npm run bench:accuracy` says how often.
 * @param share of the words that are read at least
 */
async function expectRead(video: FramedVideo, { words }: Print, share: number): Promise<void> {
  const read = (await video.segments()).flatMap((segment) => segment.words);
  const found = words.filter(({ text }) => read.some((word) => word.text === text));
  expect(found.length / words.length, JSON.stringify(read.map(({ text }) => text))).toBeGreaterThanOrEqual(
    share,
  );
  for (const { text, ...box } of found) {
    // The browser's box is as high as the line, the reader's as the letters; both in pixels of the source,
    // twice the frame's.
    const near = read.some(
      (word) =>
        word.text === text &&
        Math.abs(word.x - 2 * box.x) <= 8 &&
        Math.abs(word.x + word.width - 2 * (box.x + box.width)) <= 8 &&
        word.y >= 2 * box.y - 4 &&
        word.y + word.height <= 2 * (box.y + box.height) + 4,
    );
    expect(near, `${text} at ${JSON.stringify(box)}, read: ${JSON.stringify(read)}`).toBe(true);
  }
}

describe.each(['tesseract', 'tesseract.js'] as const)('%s', (engine) => {
  const of = (context: TestContext) => (engine === 'tesseract' ? systemOcr(context, 'eng') : npmOcr());

  test('reads words to the letter, at their places in pixels of the source, on light and on dark', async (context) => {
    const video = await makeFramedVideo(q, store, tenantId, [prints.light.jpeg]);
    const tools = await of(context);
    expect(await video.run({ ocr: tools, media })).toMatchObject({
      kind: 'done',
      result: {
        frameCount: 1,
        readCount: 1,
        segmentCount: 3,
        engine,
        engineVersion: tools.version,
        languages: ['eng'],
      },
    });
    await expectRead(video, prints.light, 1);
    const dark = await makeFramedVideo(q, store, tenantId, [prints.windows.jpeg]);
    await dark.run({ ocr: tools, media });
    await expectRead(dark, prints.windows, engine === 'tesseract' ? 0.9 : 0.65);
    expect((await dark.segments()).map(({ text }) => text)).toContain(
      'Light letters and dark ones on one page',
    );
  });
});

test('a line is a row for each time its frame is shown, with what search and access need', async (context) => {
  const spans = [
    [0, 2500],
    [9000, 9400],
  ] as const;
  const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg], spans);
  await video.run({ ocr: await systemOcr(context, 'eng'), media });
  const rows = await video.segments();
  expect(rows.map(({ t_start, t_end }) => [t_start, t_end])).toEqual(spans);
  for (const row of rows)
    expect(row).toMatchObject({
      frame_ms: 0,
      text: 'Short line of print',
      normalized_text: 'short line of print',
      text_hash: createHash('sha256').update('short line of print').digest('hex'),
      owner_id: 'ann',
      team_id: 'blue',
      language: 'eng',
    });
  expect(video.progress.at(-1)).toMatchObject({ stage: 'ocr', preview: frameKey(video.videoId, 0) });
  // The video's title is a row under its own id.
  const found = await q.superuser.query(
    'select 1 from millrace.search_materialized where video_id = $1 and segment_id <> video_id',
    [video.videoId],
  );
  expect(found.rowCount, 'found by the search at once').toBe(2);
});

test('words that the reader is less sure of than asked are left out', async (context) => {
  const video = await makeFramedVideo(q, store, tenantId, [prints.light.jpeg]);
  const tools = await systemOcr(context, 'eng');
  await video.run({ ocr: tools, media, payload: { min_confidence: 0 } });
  const confidences = (await video.segments()).flatMap(({ words }) =>
    words.map(({ confidence }) => confidence),
  );
  const median = confidences.sort((a, b) => a - b)[Math.floor(confidences.length / 2)] as number;
  await video.run({ ocr: tools, media, payload: { min_confidence: median } });
  const surer = (await video.segments()).flatMap(({ words }) => words.map(({ confidence }) => confidence));
  expect(surer.length).toBeGreaterThan(0);
  expect(surer.length).toBeLessThan(confidences.length);
  expect(Math.min(...surer)).toBeGreaterThanOrEqual(median);
});

test.for([
  ['tesseract', ['Müller', 'Straße']],
  // Tilted strokes on capitals are lost now and then; a search takes `Emile` and `Émile` for the same.
  ['tesseract.js', ['Müller', 'Straße', 'Émile', 'Zoé']],
] as const)(
  'where nobody names languages, %s reads %s, of which it has the data',
  async ([engine, wanted], context) => {
    const tools = engine === 'tesseract' ? await systemOcr(context, 'eng', 'deu') : await npmOcr();
    const video = await makeFramedVideo(q, store, tenantId, [prints.names.jpeg]);
    const outcome = await video.run({ ocr: tools, media, byDefault: true });
    const known = ['eng', 'deu', 'fra', 'spa', 'ita', 'por', 'nld'];
    const languages = known.filter((language) => tools.languages.includes(language)).slice(0, 5);
    expect(outcome).toMatchObject({ kind: 'done', result: { languages } });
    const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
    const words = (await video.segments()).flatMap(({ text }) => folded(text).split(' '));
    expect(words).toEqual(expect.arrayContaining(wanted.map(folded)));
    // Each of them is found by a search, quoted and so without a letter that differs.
    const scene = searchScene(q);
    await scene.refresh(tenantId);
    for (const name of wanted) {
      const { videos } = await scene.search(tenantId, `"${name}"`);
      expect([name, videos.length > 0]).toEqual([name, true]);
    }
  },
);

test('of several languages each line gets its own; one without data is refused for good', async (context) => {
  const video = await makeFramedVideo(q, store, tenantId, [prints.german.jpeg]);
  const tools = await systemOcr(context, 'eng', 'deu');
  await video.run({ ocr: tools, media, payload: { languages: ['eng', 'deu'] } });
  expect((await video.segments()).map(({ text, language }) => [language, text])).toEqual([
    ['eng', 'The mill stands by the river and it works'],
    ['deu', 'Die Mühle steht am Fluss und mahlt für die Stadt'],
  ]);
  await expect(
    video.run({ ocr: tools, media, payload: { languages: ['eng', 'tlh'] } }),
  ).rejects.toMatchObject({
    name: 'PermanentError',
    message: expect.stringMatching(/^languages has tlh.*allowed: .*deu/),
  });
});

test('what a run before has read in the same way is left out, and the rows are those of one run', async (context) => {
  const frames = [prints.short.jpeg, prints.german.jpeg, prints.short.jpeg];
  const ocr = await systemOcr(context, 'eng');
  const [crashed, whole] = [
    await makeFramedVideo(q, store, tenantId, frames),
    await makeFramedVideo(q, store, tenantId, frames),
  ];
  // As far as a batch had been committed.
  await crashed.run({ ocr, media, payload: { first_frame: 0, frame_count: 2 } });
  expect(await crashed.run({ ocr, media })).toMatchObject({ result: { frameCount: 3, readCount: 1 } });
  expect(await crashed.run({ ocr, media })).toMatchObject({ result: { frameCount: 3, readCount: 0 } });
  await whole.run({ ocr, media });
  expect(await crashed.segments()).toEqual(await whole.segments());
  expect(await crashed.run({ ocr, media, payload: { min_confidence: 0.5 } })).toMatchObject({
    result: { readCount: 3 },
  });
});

test('a run that is stopped ends its programs and writes nothing of its batch', async (context) => {
  const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg, prints.light.jpeg]);
  const ocr = await systemOcr(context, 'eng');
  const stop = new AbortController();
  const frameText: FrameTextStore = {
    ...video.frameText,
    findRead: async (times, reading) => {
      setImmediate(() => stop.abort(new Error('the worker goes down')));
      return await video.frameText.findRead(times, reading);
    },
  };
  await expect(video.run({ ocr, media, signal: stop.signal, frameText })).rejects.toThrow('goes down');
  expect(await video.segments()).toEqual([]);
});

test('the reader of npm leaves a picture in the middle when the run is stopped, and reads the next', async () => {
  const directory = await mkdtemp(join(folder, 'npm-'));
  const picture = join(directory, 'short.jpg');
  await writeFile(picture, prints.short.jpeg);
  const engine = await openTesseractJs({ languages: ['eng'], concurrency: 1, directory });
  try {
    const stop = new AbortController();
    // Behind the last look at the signal: what goes on is asked no more.
    stop.signal.throwIfAborted = () => setImmediate(() => stop.abort(new Error('the worker goes down')));
    await expect(engine.read([picture, picture], stop.signal)).rejects.toThrow('goes down');
    expect(await engine.read([picture, picture], new AbortController().signal)).toContain('Short');
  } finally {
    await engine.close();
  }
});

describe('what a payload may not', () => {
  test.each([
    [
      'frames of another video',
      { frame_paths: ['frames/0198f0a0-0000-7000-8000-00000000ffff/0.jpg'] },
      'InvalidPayload',
      /^frame_paths has .*; allowed: frames\//,
    ],
    [
      'the manifest of another video',
      { manifest_key: 'frames/0198f0a0-0000-7000-8000-00000000ffff/manifest.json' },
      'InvalidPayload',
      /^manifest_key has/,
    ],
  ] as const)('%s', async (_, payload, type, message) => {
    const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg]);
    await expect(video.run({ ocr: npm, media, payload: payload as never })).rejects.toMatchObject({
      name: 'PermanentError',
      type,
      message: expect.stringMatching(message),
    });
    expect(await video.segments()).toEqual([]);
  });

  test('a frame or manifest that is gone fails for good, by the name of the contract of the video system', async () => {
    const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg]);
    await store.delete(frameKey(video.videoId, 0));
    await expect(video.run({ ocr: npm, media })).rejects.toMatchObject({ type: 'S3ObjectNotFound' });
    await store.delete(`frames/${video.videoId}/manifest.json`);
    await expect(video.run({ ocr: npm, media })).rejects.toMatchObject({ type: 'S3ObjectNotFound' });
  });

  test('to write to the video of another tenant', async () => {
    const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg]);
    const other = await claimOcr(q, await q.makeTenant(), video.claimed.job.payload as never);
    const intruder = createFrameTextStore(q.db, other.job, other.lease);
    await expect(intruder.commit(READING, [frame(0)])).rejects.toMatchObject({ type: 'VideoNotFound' });
    expect(await video.segments()).toEqual([]);
  });
});

const READING: Reading = {
  manifestId: 'm',
  engine: 'tesseract',
  engineVersion: '5',
  languages: ['eng'],
  minConfidence: 0.6,
};

function frame(frameMs: number, text = `line of ${frameMs}`): ReadFrame {
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const line = { text, words: [{ text, confidence: 0.9, ...box }], confidence: 0.9, language: 'eng', box };
  return { frameMs, spans: [[frameMs, frameMs + 1000]], lines: [line] };
}

test('a run that has lost its lease writes nothing', async () => {
  const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg]);
  const { job, lease } = video.claimed;
  const late = createFrameTextStore(q.db, job, { ...lease, runNo: lease.runNo + 1 });
  await expect(late.commit(READING, [frame(0)])).rejects.toMatchObject({ code: 'LostLease' });
  expect(await video.segments()).toEqual([]);
  await video.frameText.commit(READING, [frame(0, 'a NUL \u0000 and half a pair \ud83d')]);
  expect((await video.segments()).map(({ text }) => text)).toEqual(['a NUL \u2400 and half a pair \ufffd']);
});

test('a frame that comes back thousands of times is written in pages, by a transaction that a frozen worker does not keep open', async () => {
  const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg]);
  const timeouts: string[] = [];
  let widest = 0;
  const watched = {
    transaction: (scope: Scope, work: (tx: Transaction) => Promise<unknown>) =>
      q.db.transaction(scope, async (tx) => {
        const { rows } = await tx.client.query('show idle_in_transaction_session_timeout');
        timeouts.push(rows[0].idle_in_transaction_session_timeout);
        return await work({
          client: tx.client,
          query: (statement, values) => {
            for (const value of values) if (Array.isArray(value)) widest = Math.max(widest, value.length);
            return tx.query(statement, values);
          },
        });
      }),
  } as unknown as Database;
  const { job, lease } = video.claimed;
  const spans = Array.from({ length: 2_500 }, (_, n) => [2_000 * n, 2_000 * n + 500] as const);
  await createFrameTextStore(watched, job, lease).commit(READING, [{ ...frame(0), spans }]);
  expect((await video.segments()).map(({ t_start, t_end }) => [t_start, t_end])).toEqual(spans);
  expect(timeouts).toEqual(['10s']);
  expect(widest).toBeLessThanOrEqual(1_000);
});

test.each([
  ['no JSON', () => 'frames'],
  ['of another video', (text: string) => text.replace(/"videoId":"[^"]+"/, `"videoId":"${tenantId}"`)],
  ['a time that would lead elsewhere', (text: string) => text.replace('"tMs":0', '"tMs":"../0"')],
  ['a size of nothing', (text: string) => text.replace(/"frameWidthPx":\d+/, '"frameWidthPx":0')],
  ['times without an end', (text: string) => text.replace(/"spans":\[\[0,1000\]/, '"spans":[[0]')],
])('a manifest that sample cannot have written is refused for good: %s', async (_, change) => {
  const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg]);
  const key = frameManifestKey(video.videoId);
  const written = await text((await store.get(key)).stream);
  expect(change(written)).not.toBe(written);
  await store.put(key, { stream: Readable.from([change(written)]) });
  await expect(video.run({ ocr: npm, media })).rejects.toMatchObject({ type: 'InvalidManifest' });
});

test('two chunks of one video are written at the same time', async () => {
  const video = await makeFramedVideo(q, store, tenantId, [prints.short.jpeg]);
  const second = await claimOcr(q, tenantId, video.claimed.job.payload as never);
  const stores = [video.frameText, createFrameTextStore(q.db, second.job, second.lease)];
  await Promise.all(
    stores.map(async (frameText, chunk) => {
      for (let batch = 0; batch < 5; batch++) {
        const frames = Array.from({ length: 50 }, (_, index) =>
          frame(1000 * (250 * chunk + 50 * batch + index)),
        );
        await frameText.commit(READING, frames);
      }
    }),
  );
  expect(await video.segments()).toHaveLength(500);
  expect(
    (
      await video.frameText.findRead(
        Array.from({ length: 500 }, (_, n) => 1000 * n),
        READING,
      )
    ).size,
  ).toBe(500);
});
