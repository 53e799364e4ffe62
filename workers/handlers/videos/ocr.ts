import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { PayloadOf } from '../../../src/core/definition.ts';
import { DomainError, PermanentError } from '../../../src/core/errors.ts';
import { defaultLanguages } from '../../../src/core/languages.ts';
import { done } from '../../../src/core/outcome.ts';
import { lineLanguage, type ReadFrame, type Reading } from '../../../src/domains/search/index.ts';
import type { ocr } from '../../../src/domains/videos/definitions/ocr.ts';
import type { TextLine } from '../../../src/text/text-line.ts';
import type { Handler, HandlerContext, OcrTools } from '../../handler.ts';
import { probe } from '../../tools/ffprobe.ts';
import { type FrameReader, openFrameReader } from '../../tools/ocr/frame-reader.ts';
import type { WordLine } from '../../tools/ocr/join-readings.ts';
import { boxAround } from '../../tools/ocr/read-tsv.ts';
import { inGroups } from './in-groups.ts';
import { asMissing } from './missing.ts';
import { type FramesToRead, type FrameToRead, framesToRead } from './ocr-frames.ts';
import type { OcrOwn } from './own.ts';
import { requireMedia } from './require-media.ts';
import { videoOfJob } from './source.ts';

type OcrPayload = PayloadOf<typeof ocr>;

export interface OcrOptions {
  /** The languages of videos that name none; null: `defaultLanguages` of the reader. */
  readonly languages: readonly string[] | null;
}

/**
 * Frames that are committed together, and those of the group that reaches this number: the video system's
 * contract says 50 to 100. A run after a crash reads these again, and the groups that were being read.
 */
const BATCH_FRAMES = 50;

/**
 * The video system's contract, section 3: reads the texts of kept frames and writes them as it goes. What an
 * earlier run has read in the same way is left out.
 */
export function createOcr(options: OcrOptions): Handler<OcrPayload, OcrOwn> {
  return async (context) => {
    const { payload, own } = context;
    const videoId = videoOfJob(payload, context.subject);
    const engine = requireOcr(own.ocr);
    const languages = payload.languages ?? options.languages ?? defaultLanguages(engine.languages);
    checkLanguages(languages, engine);
    context.progress({ stage: 'ocr', percent: 0 });
    const wanted = await framesToRead(context, videoId);
    const reading: Reading = {
      manifestId: wanted.manifestId,
      engine: engine.engine,
      engineVersion: engine.version,
      languages,
      minConfidence: payload.min_confidence,
    };
    const times = wanted.frames.map(({ tMs }) => tMs);
    const read = await own.frameText.findRead(times, reading);
    if (read.size > 0)
      context.log.info('Frames that an earlier run has read are left out', { count: read.size });
    const rest = wanted.frames.filter(({ tMs }) => !read.has(tMs));
    const segmentCount = await readFrames(context, { wanted, rest, reading, engine });
    return done({
      frameCount: wanted.frames.length,
      readCount: rest.length,
      segmentCount,
      engine: engine.engine,
      engineVersion: engine.version,
      languages,
    });
  };
}

interface Work {
  readonly wanted: FramesToRead;
  readonly rest: readonly FrameToRead[];
  readonly reading: Reading;
  readonly engine: OcrTools;
}

async function readFrames(
  context: HandlerContext<OcrPayload, OcrOwn>,
  { wanted, rest, reading, engine }: Work,
): Promise<number> {
  if (rest.length === 0) return 0;
  const { own, tools, signal } = context;
  const directory = join(await tools.tempDir(), 'ocr');
  await mkdir(directory);
  const concurrency = Math.max(1, availableParallelism());
  const reader = await openFrameReader({
    ocr: engine,
    media: requireMedia(own.media),
    size: wanted.size ?? (await sizeOf(context, rest[0] as FrameToRead, directory)),
    languages: reading.languages,
    minConfidence: reading.minConfidence,
    concurrency,
    directory,
  });
  const before = wanted.frames.length - rest.length;
  const unfinished = new Map<readonly FrameToRead[], number>();
  let [doneCount, segmentCount] = [0, 0];
  const report = (preview: string): void => {
    const sum = doneCount + [...unfinished.values()].reduce((total, count) => total + count, 0);
    const percent = Math.floor((99 * (before + sum)) / wanted.frames.length);
    context.progress({ stage: 'ocr', percent, preview });
  };
  const texts: ReadFrame[] = [];
  const commit = async (): Promise<void> => {
    const batch = texts.splice(0);
    if (batch.length > 0) await own.frameText.commit(reading, batch);
    segmentCount += batch.reduce((sum, { lines, spans }) => sum + lines.length * spans.length, 0);
  };
  try {
    await inGroups(rest, { concurrency, groupSize: reader.groupSize }, async (group) => {
      signal.throwIfAborted();
      const lines = await readGroup(context, reader, group, directory, (count) => {
        // A group that failed is read again, frame by frame: what was reported stays reported.
        unfinished.set(group, Math.max(count, unfinished.get(group) ?? 0));
        const last = group[count - 1];
        if (last !== undefined) report(last.key);
      });
      unfinished.delete(group);
      doneCount += group.length;
      texts.push(
        ...group.map((frame, index) =>
          toReadFrame(frame, lines[index] ?? [], wanted.scale, reading.languages),
        ),
      );
      if (texts.length >= BATCH_FRAMES) await commit();
    });
    await commit();
  } finally {
    await reader.close();
  }
  return segmentCount;
}

async function readGroup(
  context: HandlerContext<OcrPayload, OcrOwn>,
  reader: FrameReader,
  group: readonly FrameToRead[],
  directory: string,
  onRead: (count: number) => void,
): Promise<readonly (readonly WordLine[])[]> {
  const files = await Promise.all(
    group.map(({ key, tMs }) => localFrame(context, key, join(directory, `${tMs}.jpg`))),
  );
  try {
    return await reader.read(
      files.map(({ path }) => path),
      context.signal,
      onRead,
    );
  } finally {
    for (const { path, isCopy } of files) if (isCopy) await rm(path, { force: true });
  }
}

async function localFrame(
  { tools, signal }: HandlerContext<OcrPayload, OcrOwn>,
  key: string,
  copy: string,
): Promise<{ readonly path: string; readonly isCopy: boolean }> {
  try {
    if (tools.storage.localPath !== undefined)
      return { path: await tools.storage.localPath(key), isCopy: false };
    await tools.storage.copyToFile(key, copy, { signal });
    return { path: copy, isCopy: true };
  } catch (error) {
    throw asMissing(error, 'The frame was', key);
  }
}

/** The size of frames without a manifest: all have the same. */
async function sizeOf(
  context: HandlerContext<OcrPayload, OcrOwn>,
  { key }: FrameToRead,
  directory: string,
): Promise<{ readonly widthPx: number; readonly heightPx: number }> {
  const { path, isCopy } = await localFrame(context, key, join(directory, 'first.jpg'));
  const { ffprobePath, limits } = requireMedia(context.own.media);
  const info = await probe(path, {
    ffprobePath,
    formats: ['image2', 'jpeg_pipe'],
    cwd: directory,
    limits,
  });
  if (isCopy) await rm(path, { force: true });
  if (info.video === null) throw new PermanentError('NotAPicture', `${key} is no picture`);
  return { widthPx: info.video.widthPx, heightPx: info.video.heightPx };
}

function toReadFrame(
  { tMs, spans }: FrameToRead,
  lines: readonly WordLine[],
  scale: number,
  languages: readonly string[],
): ReadFrame {
  return { frameMs: tMs, spans, lines: lines.map((words) => toTextLine(words, scale, languages)) };
}

function toTextLine(read: WordLine, scale: number, languages: readonly string[]): TextLine {
  const px = (value: number) => Math.round(value * scale);
  const words = read.map((word) => ({
    ...word,
    ...{ x: px(word.x), y: px(word.y), width: px(word.width), height: px(word.height) },
  }));
  const text = words.map((word) => word.text).join(' ');
  return {
    text,
    words,
    confidence: words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length,
    language: lineLanguage(text, languages),
    box: boxAround(words),
  };
}

/**
 * What reads texts on this worker. A worker without any cannot do this, another one may: so it is an
 * ordinary, retried error.
 * @throws DomainError `ToolMissing`
 */
function requireOcr(engine: OcrTools | null): OcrTools {
  if (engine !== null) return engine;
  throw new DomainError('ToolMissing', 'This worker has nothing that reads texts', {
    field: 'TESSERACT_PATH',
    allowed: 'tesseract 4 or newer, or tesseract.js (npx millrace install media)',
  });
}

/** @throws PermanentError `LanguageMissing` */
function checkLanguages(languages: readonly string[], engine: OcrTools): void {
  const unknown = languages.filter((language) => !engine.languages.includes(language));
  if (unknown.length === 0) return;
  throw new PermanentError(
    'LanguageMissing',
    `languages has ${unknown.join(', ')}, of which ${engine.engine} ${engine.version} has no data; allowed: ${engine.languages.join(', ')}`,
  );
}
