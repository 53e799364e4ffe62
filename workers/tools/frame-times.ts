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
  /**
   * Begin so much before the range, for formats in which a seek does not land where it should; 0 by default.
   */
  readonly backSeconds?: number;
  /**
   * The length of a picture, for the times of those without one in the file (program streams give every third
   * one); null: they stay out.
   */
  readonly pictureSeconds?: number | null;
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 60_000;
/** Enough for a clip of hours at 120 frames a second. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
/** A file's first time stamp that makes the first look one at the wrong place. */
const SHIFTED_SECONDS = 0.25;
/**
 * Packets come in the order of decoding: some that are shown before the end of the range stand behind one
 * that is shown after it.
 */
const REORDER_SECONDS = 1;

/** Pictures of one stream. */
export interface FrameTimes {
  /** Seconds from the start of the file, ascending. */
  readonly times: readonly number[];
  /** Null where there are none. */
  readonly streamIndex: number | null;
  /**
   * The last picture up to the one on screen where the range begins that a decoder can begin with; null where
   * none was seen.
   */
  readonly keySeconds: number | null;
  /** The file gives some pictures no time. */
  readonly isPartial: boolean;
}

/**
 * When the pictures of a range are shown, seconds from the start of the file, ascending; the one on screen
 * where the range begins is the first, and some after its end may be among them. Reads packets, so nothing is
 * decoded. Empty where the file states no times.
 * @throws PermanentError and MediaToolError as `probe`
 */
export async function frameTimes(query: FrameTimesQuery): Promise<FrameTimes> {
  const probed = await look(query, 0);
  const { startSeconds, times, keys, streamIndex, isPartial } =
    Math.abs(probed.startSeconds) < SHIFTED_SECONDS ? probed : await look(query, probed.startSeconds);
  const given = times.map((time) => time - startSeconds).sort((a, b) => a - b);
  const { pictureSeconds = null } = query;
  const shown = isPartial && pictureSeconds !== null ? filled(given, pictureSeconds) : given;
  const onScreen = shown.findLastIndex((time) => time <= query.fromSeconds + TOLERANCE_SECONDS);
  const first = shown[Math.max(0, onScreen)] ?? Number.NEGATIVE_INFINITY;
  const before = keys.map((time) => time - startSeconds).filter((time) => time <= first + TOLERANCE_SECONDS);
  return {
    times: shown.slice(Math.max(0, onScreen)),
    streamIndex,
    keySeconds: before.length === 0 ? null : Math.max(...before),
    isPartial,
  };
}

/**
 * Times are printed with six decimals, and ranges are given in milliseconds: a picture at 1/3 s is the one of
 * 333 ms.
 */
export const TOLERANCE_SECONDS = 0.0005;

interface Looked {
  readonly startSeconds: number;
  readonly streamIndex: number | null;
  readonly times: readonly number[];
  readonly keys: readonly number[];
  /** Some pictures have no time. */
  readonly isPartial: boolean;
}

/** What stands between two times is as many pictures as fit. */
function filled(times: readonly number[], pictureSeconds: number): readonly number[] {
  return times.flatMap((time, index) => {
    const gap = (times[index + 1] ?? time) - time;
    const count = Math.max(1, Math.round(gap / pictureSeconds));
    return Array.from({ length: count }, (_, n) => time + (gap * n) / count);
  });
}

async function look(query: FrameTimesQuery, shiftSeconds: number): Promise<Looked> {
  const from = Math.max(0, query.fromSeconds - (query.backSeconds ?? 0)) + shiftSeconds;
  const to = query.toSeconds + REORDER_SECONDS + shiftSeconds;
  const result = await runProcess({
    file: query.ffprobePath,
    args: [
      ...['-v', 'error', '-select_streams', String(query.streamIndex ?? 'V:0')],
      ...['-read_intervals', `${from.toFixed(6)}%${to.toFixed(6)}`],
      ...['-show_entries', 'packet=stream_index,pts_time,flags:format=start_time', '-of', 'csv'],
      ...inputArgs(query.path, query.formats),
    ],
    cwd: query.cwd,
    env: MEDIA_ENVIRONMENT,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_LIST_BYTES,
    ...(query.signal && { signal: query.signal }),
  });
  throwIfFailed('ffprobe', result, query.signal);
  const [times, keys]: [number[], number[]] = [[], []];
  let streamIndex: number | null = null;
  let startSeconds = 0;
  let isPartial = false;
  for (const line of result.stdout.split('\n')) {
    const [section, first = '', second = '', flags = ''] = line.trim().split(',');
    const value = section === 'packet' ? second : first;
    const seconds = value === '' ? Number.NaN : Number(value);
    if (section === 'packet' && !Number.isFinite(seconds)) isPartial = true;
    if (!Number.isFinite(seconds)) continue;
    if (section === 'format') startSeconds = seconds;
    if (section !== 'packet') continue;
    times.push(seconds);
    if (flags.startsWith('K')) keys.push(seconds);
    streamIndex = Number(first);
  }
  return { startSeconds, times, keys, streamIndex, isPartial };
}
