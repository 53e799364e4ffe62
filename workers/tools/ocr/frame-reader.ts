import { rm } from 'node:fs/promises';
import type { MediaTools, OcrTools } from '../../handler.ts';
import { runFfmpeg } from '../ffmpeg.ts';
import type { PixelSize } from '../video-filters.ts';
import { joinReadings, type WordLine } from './join-readings.ts';
import { pictureArgs, pictureScales } from './picture-args.ts';
import { type ReadWord, readTsv } from './read-tsv.ts';
import { openTesseract } from './tesseract.ts';
import { openTesseractJs } from './tesseract-js.ts';

export interface FrameReader {
  /**
   * Reads one frame; several may be read at once.
   * @param name of this frame's own files in the directory
   * @returns its lines from top to bottom, boxes in pixels of the frame; of words that the reader is sure enough of
   */
  read(framePath: string, name: string, signal: AbortSignal): Promise<readonly WordLine[]>;
  close(): Promise<void>;
}

export interface FrameReaderOptions {
  readonly ocr: OcrTools;
  readonly media: MediaTools;
  readonly size: PixelSize;
  readonly languages: readonly string[];
  /** 0 to 1. */
  readonly minConfidence: number;
  /** Frames that are read at once. */
  readonly concurrency: number;
  /** Empty; for the pictures in between. */
  readonly directory: string;
}

const PICTURE_TIMEOUT_MS = 180_000;

/** Opens a reader; to be closed. */
export async function openFrameReader(options: FrameReaderOptions): Promise<FrameReader> {
  const { ocr, media, size, languages, minConfidence, concurrency, directory } = options;
  const engine =
    ocr.path === null
      ? await openTesseractJs({ languages, concurrency, directory })
      : openTesseract({ path: ocr.path, languages, directory });
  const scales = pictureScales(size);
  return {
    read: async (framePath, name, signal) => {
      const [plain, even] = [`${name}-plain.pgm`, `${name}-even.pgm`];
      await runFfmpeg({
        ffmpegPath: media.ffmpegPath,
        args: pictureArgs(framePath, size, plain, even),
        cwd: directory,
        timeoutMs: PICTURE_TIMEOUT_MS,
        signal,
      });
      const paths = [`${directory}/${plain}`, `${directory}/${even}`] as const;
      try {
        const words = readTsv(await engine.read(...paths, signal)).filter(
          ({ confidence }) => confidence >= minConfidence,
        );
        const ofPicture = (picture: number, scale: number) =>
          words.filter(({ page }) => page === picture).map((word) => shrink(word, scale));
        return joinReadings(ofPicture(1, scales.plain), ofPicture(2, scales.even), size.heightPx);
      } finally {
        await Promise.all(paths.map((path) => rm(path, { force: true })));
      }
    },
    close: () => engine.close(),
  };
}

function shrink(word: ReadWord, scale: number): ReadWord {
  const by = (px: number) => Math.round(px / scale);
  return { ...word, x: by(word.x), y: by(word.y), width: by(word.width), height: by(word.height) };
}
