import { type FfmpegProgress, FfmpegProgressReader } from './ffmpeg-progress.ts';
import { MEDIA_ENVIRONMENT } from './media-environment.ts';
import { throwIfFailed } from './media-error.ts';
import { oversizedPicture } from './media-limits.ts';
import { runProcess } from './process.ts';
import type { PipeReader } from './process-spec.ts';

export interface FfmpegRun {
  readonly ffmpegPath: string;
  /** From one of the builders of arguments; with `-progress pipe:1` for `onProgress`. */
  readonly args: readonly string[];
  /** The job's directory; outputs are relative to it. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Ended when the output has not grown for this long. Default: no watchdog. */
  readonly stallTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called about twice a second while the output grows. An error it throws ends ffmpeg and is thrown. */
  readonly onProgress?: (progress: FfmpegProgress) => void;
  /** Takes what it writes to further file descriptors; then it is these that show the watchdog progress. */
  readonly pipes?: PipeReader;
}

/**
 * Runs ffmpeg to its end.
 * @returns what it complained about though it went on (`-loglevel error`), for the log; mostly empty
 * @throws PermanentError when the file is to blame, MediaToolError when another try may help, the signal's
 *   reason
 */
export async function runFfmpeg(run: FfmpegRun): Promise<string> {
  const reader = new FfmpegProgressReader();
  const result = await runProcess({
    file: run.ffmpegPath,
    args: run.args,
    cwd: run.cwd,
    env: MEDIA_ENVIRONMENT,
    timeoutMs: run.timeoutMs,
    ...(run.stallTimeoutMs !== undefined && { stallTimeoutMs: run.stallTimeoutMs }),
    ...(run.signal && { signal: run.signal }),
    ...(run.pipes && { pipes: run.pipes }),
    onStdoutLine(line, progressed) {
      const progress = reader.read(line);
      if (progress === null) return;
      progressed();
      run.onProgress?.(progress);
    },
  });
  // First: with the picture left out, ffmpeg ends well, or blames something else.
  const oversized = result.end.how === 'aborted' ? null : oversizedPicture(result.stderr);
  if (oversized !== null) throw oversized;
  throwIfFailed('ffmpeg', result, run.signal);
  return result.stderr.trim();
}
