import { inputArgs } from './ffmpeg-args.ts';
import { MEDIA_ENVIRONMENT } from './media-environment.ts';
import { throwIfFailed } from './media-error.ts';
import { runProcess } from './process.ts';

export interface FrameTimesQuery {
  readonly ffprobePath: string;
  /** Absolute path. */
  readonly path: string;
  readonly formats: readonly string[];
  /** Null: the first that is no cover art. */
  readonly streamIndex: number | null;
  /** From the start of the file. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 60_000;
/** Of a clip of hours at 120 frames a second. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** A file's first time stamp that makes the first look one at the wrong place. */
const SHIFTED_SECONDS = 0.25;
/** Packets come in the order of decoding: some that are shown before the end of the range stand behind one that is shown after it. */
const REORDER_SECONDS = 1;

/** Pictures of one stream. */
export interface FrameTimes {
  /** Seconds from the start of the file, ascending. */
  readonly times: readonly number[];
  /** Null where there are none. */
  readonly streamIndex: number | null;
}

/**
 * When the pictures of a range are shown, seconds from the start of the file, ascending; the one on screen where the range begins
 * is the first, and some after its end may be among them. Reads packets, so nothing is decoded. Empty where the file tells no times.
 * @throws PermanentError and MediaToolError as `probe`
 */
export async function frameTimes(query: FrameTimesQuery): Promise<FrameTimes> {
  const first = await look(query, 0);
  const { startSeconds, times, streamIndex } =
    Math.abs(first.startSeconds) < SHIFTED_SECONDS ? first : await look(query, first.startSeconds);
  const shown = times.map((time) => time - startSeconds).sort((a, b) => a - b);
  const onScreen = shown.findLastIndex((time) => time <= query.fromSeconds + TOLERANCE_SECONDS);
  return { times: shown.slice(Math.max(0, onScreen)), streamIndex };
}

/** Times are printed with six decimals, and ranges are given in milliseconds: a picture at 1/3 s is the one of 333 ms. */
export const TOLERANCE_SECONDS = 0.0005;

async function look(
  query: FrameTimesQuery,
  shiftSeconds: number,
): Promise<FrameTimes & { readonly startSeconds: number }> {
  const from = Math.max(0, query.fromSeconds) + shiftSeconds;
  const to = query.toSeconds + REORDER_SECONDS + shiftSeconds;
  const result = await runProcess({
    file: query.ffprobePath,
    args: [
      ...['-v', 'error', '-select_streams', String(query.streamIndex ?? 'V:0')],
      ...['-read_intervals', `${from.toFixed(6)}%${to.toFixed(6)}`],
      ...['-show_entries', 'packet=stream_index,pts_time:format=start_time', '-of', 'csv'],
      ...inputArgs(query.path, query.formats),
    ],
    cwd: query.cwd,
    env: MEDIA_ENVIRONMENT,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_LIST_BYTES,
    ...(query.signal && { signal: query.signal }),
  });
  throwIfFailed('ffprobe', result, query.signal);
  const times: number[] = [];
  let streamIndex: number | null = null;
  let startSeconds = 0;
  for (const line of result.stdout.split('\n')) {
    const [section, first = '', second = ''] = line.trim().split(',');
    const value = section === 'packet' ? second : first;
    const seconds = value === '' ? Number.NaN : Number(value);
    if (!Number.isFinite(seconds)) continue;
    if (section === 'format') startSeconds = seconds;
    if (section !== 'packet') continue;
    times.push(seconds);
    streamIndex = Number(first);
  }
  return { startSeconds, times, streamIndex };
}
