import type { MediaTools } from '../handler.ts';
import { inputArgs, PREFIX } from './ffmpeg-args.ts';
import { MEDIA_ENVIRONMENT } from './media-environment.ts';
import { throwIfFailed } from './media-error.ts';
import { PacketTimes, type StreamExtent } from './packet-times.ts';
import { runProcess } from './process.ts';

export interface SurveyQuery {
  readonly media: Pick<MediaTools, 'ffmpegPath' | 'limits'>;
  /** Absolute path. */
  readonly path: string;
  readonly formats: readonly string[];
  /** The indexes of the streams to read, as ffprobe numbers them. */
  readonly indexes: readonly number[];
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly stallTimeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called now and then with what has been read of a stream so far; what it throws ends the survey. */
  readonly onRead?: (index: number, soFar: StreamExtent) => void;
}

export interface Survey {
  /** By the index of the stream; those without a packet are missing. */
  readonly streams: ReadonlyMap<number, StreamExtent>;
  /** What ffmpeg complained about: mostly nothing; where a file is cut off, that. */
  readonly complaints: string;
}

const LOOK_EVERY = 1024;

/**
 * Reads what is really in the streams of a file, by their packets: nothing is decoded, which takes a
 * hundredth of the time of a transcode. By ffmpeg and not ffprobe, as only ffmpeg puts the times of joined
 * recordings one behind the other; so they are those that any other run of ffmpeg on the file has.
 * @throws PermanentError and MediaToolError as `runFfmpeg`, the signal's reason, and what `onRead` throws
 */
export async function surveyStreams(query: SurveyQuery): Promise<Survey> {
  const times = query.indexes.map(() => new PacketTimes());
  const timeBases: number[] = [];
  const readLine = (line: string): void => {
    const base = /^#tb (\d+): (\d+)\/(\d+)/.exec(line);
    if (base !== null) timeBases[Number(base[1])] = Number(base[2]) / Number(base[3]);
    if (line.startsWith('#')) return;
    const [at = '', dts = '', pts = '', duration = '', , , flags] = line.split(',');
    const output = Number(at);
    const stream = times[output];
    const index = query.indexes[output];
    if (stream === undefined || index === undefined) return;
    stream.add(secondsOf(dts, timeBases[output]), secondsOf(pts, timeBases[output]), {
      seconds: secondsOf(duration, timeBases[output]) ?? 0,
      isKey: isKeyPacket(flags),
    });
    if (stream.count % LOOK_EVERY === 0 && stream.extent !== null) query.onRead?.(index, stream.extent);
  };
  const result = await runProcess({
    file: query.media.ffmpegPath,
    args: surveyArgs(query),
    cwd: query.cwd,
    env: MEDIA_ENVIRONMENT,
    timeoutMs: query.timeoutMs,
    stallTimeoutMs: query.stallTimeoutMs,
    ...(query.signal && { signal: query.signal }),
    onStdoutLine(line, progressed) {
      progressed();
      readLine(line);
    },
  });
  throwIfFailed('ffmpeg', result, query.signal);
  const streams = new Map<number, StreamExtent>();
  for (const [output, index] of query.indexes.entries()) {
    const extent = times[output]?.extent ?? null;
    if (extent === null) continue;
    query.onRead?.(index, extent);
    streams.set(index, extent);
  }
  return { streams, complaints: result.stderr.trim() };
}

/**
 * One line for each packet: `stream, dts, pts, duration, size, checksum`, and `F=0x…` where its flags are
 * others than those of a key frame.
 */
function surveyArgs({ path, formats, indexes, media }: SurveyQuery): readonly string[] {
  return [
    ...PREFIX,
    ...inputArgs(path, formats, { ...media.limits, threads: 1 }),
    ...indexes.flatMap((index) => ['-map', `0:${index}`]),
    ...['-c', 'copy', '-copyinkf', '-f', 'framecrc', 'pipe:1'],
  ];
}

/** Null for none: older builds print that as the smallest number there is. */
function secondsOf(value: string, timeBase: number | undefined): number | null {
  const number = value.includes('NOPTS') ? Number.NaN : Number(value);
  const seconds = number * (timeBase ?? Number.NaN);
  return Number.isFinite(seconds) && number > -(2 ** 62) ? seconds : null;
}

function isKeyPacket(flags: string | undefined): boolean {
  const shown = /F=0x([0-9A-Fa-f]+)/.exec(flags ?? '');
  return shown === null || (Number.parseInt(shown[1] as string, 16) & 1) === 1;
}
