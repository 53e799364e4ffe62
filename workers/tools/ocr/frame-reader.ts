import { rm } from 'node:fs/promises';
import type { TextWord } from '../../../src/core/pipelines/text-line.ts';
import type { MediaTools, OcrTools } from '../../handler.ts';
import { runFfmpeg } from '../ffmpeg.ts';
import { joinReadings, type WordLine } from './join-readings.ts';
import { type PictureSize, pictureArgs, readingScale } from './picture-args.ts';
import { readTsv } from './read-tsv.ts';
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
  readonly size: PictureSize;
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
  const scale = readingScale(size);
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
        const ofPage = (wanted: number) => words.filter(({ page }) => page === wanted);
        const lines = joinReadings(ofPage(1), ofPage(2), size.heightPx * scale);
        return lines.map((line) => line.map((word) => shrink(word, scale)));
      } finally {
        await Promise.all(paths.map((path) => rm(path, { force: true })));
      }
    },
    close: () => engine.close(),
  };
}

function shrink(word: TextWord, scale: number): TextWord {
  const by = (px: number) => Math.round(px / scale);
  return { ...word, x: by(word.x), y: by(word.y), width: by(word.width), height: by(word.height) };
}
