import type { Readable } from 'node:stream';
import { toError } from '../../src/core/errors.ts';
import { type FfmpegRun, runFfmpeg } from './ffmpeg.ts';
import { CELL_COUNT } from './frame-cells.ts';
import { JpegSplitter } from './jpeg-splitter.ts';
import { LineSplitter } from './line-splitter.ts';

/** A sampled picture. */
export interface SampledFrame {
  /** Seconds from the start of the file to the picture in the source. */
  readonly seconds: number;
  /** `CELLS` gray values, row by row. */
  readonly cells: Uint8Array;
  readonly jpeg: Buffer;
}

/** The arguments are from `frameArgs`. */
export interface FrameRun extends Omit<FfmpegRun, 'onProgress' | 'pipes'> {
  /** Takes the pictures one after the other; while it has one, ffmpeg waits when its pipes are full. */
  readonly onFrame: (frame: SampledFrame) => Promise<void> | void;
}

/**
 * Parts of pictures that are read ahead at most: the encoder of the JPEGs lags behind the gray pictures by
 * some, never by this many.
 */
const MAX_AHEAD = 48;
const MAX_AHEAD_JPEGS = 4;

/**
 * Runs ffmpeg and puts the parts of each picture together, which come in the same order on three pipes.
 * @returns what ffmpeg complained about though it went on; mostly empty
 * @throws as `runFfmpeg`, and what `onFrame` throws
 */
export async function streamFrames({ onFrame, ...run }: FrameRun): Promise<string> {
  return await runFfmpeg({
    ...run,
    pipes: { count: 3, read: (pipes, progressed) => readFrames(pipes, progressed, onFrame) },
  });
}

async function readFrames(
  [timesPipe, grayPipe, jpegPipe]: readonly Readable[],
  progressed: () => void,
  onFrame: FrameRun['onFrame'],
): Promise<void> {
  if (timesPipe === undefined || grayPipe === undefined || jpegPipe === undefined)
    throw new Error('ffmpeg has not got its pipes');
  const times = queueOf<number>(timesPipe, MAX_AHEAD, (push) => {
    const lines = new LineSplitter((line) => {
      if (!line.startsWith('#')) push(secondsOf(line));
    });
    return (chunk) => lines.write(chunk);
  });
  const grays = queueOf<Uint8Array>(grayPipe, MAX_AHEAD, (push) => cellsSplitter(push));
  const jpegs = queueOf<Buffer>(jpegPipe, MAX_AHEAD_JPEGS, (push) => {
    const splitter = new JpegSplitter(push);
    return (chunk) => splitter.write(chunk);
  });
  for (;;) {
    const [seconds, cells, jpeg] = await Promise.all([times(), grays(), jpegs()]);
    // A part that is missing at the end is ffmpeg's failure, which it reports itself.
    if (seconds === undefined || cells === undefined || jpeg === undefined) break;
    progressed();
    await onFrame({ seconds, cells, jpeg });
  }
  // Reads on where one pipe ended before the others, so that ffmpeg is not left waiting.
  for (const pipe of [timesPipe, grayPipe, jpegPipe]) pipe.removeAllListeners('data').resume();
}

/**
 * Reads a pipe into parts, at most this many ahead. Returns what gives the next one; undefined at the end.
 */
function queueOf<Part>(
  pipe: Readable,
  maxAhead: number,
  open: (push: (part: Part) => void) => (chunk: Buffer) => void,
): () => Promise<Part | undefined> {
  const parts: Part[] = [];
  let [ended, failure]: [boolean, Error | null] = [false, null];
  let wake = () => {};
  const write = open((part) => parts.push(part));
  pipe.on('data', (chunk: Buffer) => {
    try {
      write(chunk);
    } catch (thrown) {
      failure = toError(thrown);
      pipe.destroy();
    }
    if (parts.length >= maxAhead) pipe.pause();
    wake();
  });
  pipe.once('close', () => {
    ended = true;
    wake();
  });
  return async () => {
    while (parts.length === 0 && !ended)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    if (failure !== null) throw failure;
    const part = parts.shift();
    if (parts.length < maxAhead && pipe.isPaused()) pipe.resume();
    return part;
  };
}

/**
 * A line of framecrc: `stream, dts, pts, duration, size, checksum`, in the time base that the arguments set,
 * microseconds.
 */
function secondsOf(line: string): number {
  const seconds = Number(line.split(',')[2]) / 1e6;
  if (!Number.isFinite(seconds)) throw new RangeError(`ffmpeg gave no time: ${line.slice(0, 80)}`);
  return seconds;
}

function cellsSplitter(push: (cells: Uint8Array) => void): (chunk: Buffer) => void {
  let cells = new Uint8Array(CELL_COUNT);
  let filled = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, CELL_COUNT - filled);
      cells.set(chunk.subarray(at, at + taken), filled);
      at += taken;
      filled += taken;
      if (filled < CELL_COUNT) continue;
      push(cells);
      cells = new Uint8Array(CELL_COUNT);
      filled = 0;
    }
  };
}
