import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { MediaTools, OcrTools } from '../../handler.ts';
import type { PixelSize } from '../video-filters.ts';
import { makeFramePictures } from './frame-pictures.ts';
import { joinReadings, type WordLine } from './join-readings.ts';
import { pictureScales } from './picture-args.ts';
import { type ReadWord, readTsv } from './read-tsv.ts';
import { openTesseract } from './tesseract.ts';
import { openTesseractJs } from './tesseract-js.ts';

export interface FrameReader {
  /** Frames that are best read together. */
  readonly groupSize: number;
  /**
   * Reads frames; several groups may be read at once.
   * @param onRead is called with how many of the frames have been read
   * @returns of each frame its lines from top to bottom, boxes in pixels of the frame; of words that the
   *   reader is sure enough of
   */
  read(
    framePaths: readonly string[],
    signal: AbortSignal,
    onRead?: (count: number) => void,
  ): Promise<readonly (readonly WordLine[])[]>;
  close(): Promise<void>;
}

export interface FrameReaderOptions {
  readonly ocr: OcrTools;
  readonly media: MediaTools;
  readonly size: PixelSize;
  readonly languages: readonly string[];
  /** 0 to 1. */
  readonly minConfidence: number;
  /** Groups that are read at once. */
  readonly concurrency: number;
  /** Empty; for the pictures in between. */
  readonly directory: string;
}

/** Frames in a group, at 720p. More saves next to nothing, and would leave other cores idle at the end. */
const MAX_GROUP_FRAMES = 8;
/** A group's pictures lie in the job's directory: 150 MB at most. */
const MAX_GROUP_PX = 150_000_000;

/** Opens a reader; to be closed. */
export async function openFrameReader(options: FrameReaderOptions): Promise<FrameReader> {
  const { ocr, media, size, languages, minConfidence, concurrency, directory } = options;
  const engine =
    ocr.path === null
      ? await openTesseractJs({ languages, concurrency, directory })
      : openTesseract({ path: ocr.path, languages, directory });
  const scales = pictureScales(size);
  const readFrames: FrameReader['read'] = async (framePaths, signal, onRead) => {
    const made = { media, size, directory: join(directory, randomUUID()), signal };
    await using pictures = await makeFramePictures(framePaths, made);
    const tsv = await engine.read(pictures.paths, signal, (count) => onRead?.(Math.floor(count / 2)));
    const words = readTsv(tsv).filter(({ confidence }) => confidence >= minConfidence);
    const byPage = Map.groupBy(words, ({ page }) => page);
    const ofPage = (page: number, scale: number) =>
      (byPage.get(page) ?? []).map((word) => shrink(word, scale));
    return framePaths.map((_, index) =>
      joinReadings(ofPage(2 * index + 1, scales.plain), ofPage(2 * index + 2, scales.even), size.heightPx),
    );
  };
  return {
    groupSize: groupSizeOf(size),
    read: async (framePaths, signal, onRead) => {
      try {
        return await readFrames(framePaths, signal, onRead);
      } catch (error) {
        // One that cannot be read spoils its group: alone it is the one that is reported.
        if (framePaths.length === 1 || signal.aborted) throw error;
        const alone: (readonly WordLine[])[] = [];
        for (const path of framePaths) {
          alone.push(...(await readFrames([path], signal)));
          onRead?.(alone.length);
        }
        return alone;
      }
    },
    close: () => engine.close(),
  };
}

function groupSizeOf(size: PixelSize): number {
  const scales = pictureScales(size);
  const framePx = size.widthPx * size.heightPx * (scales.plain ** 2 + scales.even ** 2);
  return Math.max(1, Math.min(MAX_GROUP_FRAMES, Math.floor(MAX_GROUP_PX / framePx)));
}

function shrink(word: ReadWord, scale: number): ReadWord {
  const by = (px: number) => Math.round(px / scale);
  return { ...word, x: by(word.x), y: by(word.y), width: by(word.width), height: by(word.height) };
}
