import { LineSplitter } from './line-splitter.ts';
import type { PipeReader } from './process-spec.ts';

/** How many pictures were decoded, and when the last of them is shown, seconds from the start of the file. */
export interface DecodedTimes {
  count: number;
  lastSeconds: number;
}

/**
 * Reads the times of pictures from a pipe, lines of framecrc: `stream, dts, pts, duration, size, checksum`.
 * @param base parts of a second
 */
export function decodedTimesReader(base: number): {
  readonly pipes: PipeReader;
  readonly times: DecodedTimes;
} {
  const times: DecodedTimes = { count: 0, lastSeconds: Number.NEGATIVE_INFINITY };
  const pipes: PipeReader = {
    count: 1,
    read: async ([pipe], progressed) => {
      if (pipe === undefined) throw new Error('ffmpeg has not got its pipe');
      const lines = new LineSplitter((line) => {
        if (line.startsWith('#')) return;
        const seconds = Number(line.split(',')[2]) / base;
        if (!Number.isFinite(seconds)) return;
        times.count++;
        times.lastSeconds = Math.max(times.lastSeconds, seconds);
        progressed();
      });
      pipe.on('data', (chunk: Buffer) => lines.write(chunk));
      await new Promise((resolve) => pipe.once('close', resolve));
      lines.end();
    },
  };
  return { pipes, times };
}
