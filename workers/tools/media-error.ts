import { PermanentError } from '../../src/core/errors.ts';
import { ALLOWED_FILES } from './media-formats.ts';
import type { ProcessResult } from './process-spec.ts';

/**
 * A media program failed in a way that another try may fix: it crashed, was killed, the disk was full, it
 * hung.
 */
export class MediaToolError extends Error {
  /** `crashed`, `failed`, `diskFull`, `timedOut`, `stalled`, `notStarted`. */
  readonly reason: 'crashed' | 'failed' | 'diskFull' | 'timedOut' | 'stalled' | 'notStarted';
  constructor(reason: MediaToolError['reason'], message: string) {
    super(message);
    this.name = 'MediaToolError';
    this.reason = reason;
  }
}

/**
 * What the end of a complaint must say to be the file's own fault, so that no retry helps. First match
 * counts.
 */
const PERMANENT: readonly (readonly [
  pattern: RegExp,
  type: string,
  say: (match: RegExpExecArray) => string,
])[] = [
  [
    /\[(\S+) @ [^\]]*\] Format not on whitelist/,
    'UnsupportedFormat',
    (match) => `a ${match[1]} file, which is not an accepted video format; allowed: ${ALLOWED_FILES}`,
  ],
  [
    /moov atom not found/,
    'MoovMissing',
    () => 'an MP4/MOV file without its index (moov): the recording or upload was cut off',
  ],
  [
    /Decoder \(codec (\S+)\) not found/,
    'UnsupportedCodec',
    (match) => `coded as ${match[1]}, which ffmpeg cannot decode`,
  ],
  [
    /Invalid data found when processing input/,
    'NotAVideo',
    () => `not a video, or damaged beyond reading; allowed: ${ALLOWED_FILES}`,
  ],
];

/** The messages of ffmpeg, of C++ programs and of glibc. */
const OUT_OF_MEMORY = /Cannot allocate memory|bad_alloc|[Oo]ut of memory|memory exhausted/;

/**
 * The error for a media program's result, or null when it ended well. An abort by the caller's signal is
 * thrown as the signal's reason by `throwIfFailed`, never classified here.
 * @param what e.g. `ffprobe`, for the message
 */
function failureOf(what: string, result: ProcessResult): Error | null {
  const { end, stderr } = result;
  // First of all: ffmpeg 5 ends with 0 although its segments did not fit, and others blame the file for it.
  if (/No space left on device|Disk quota exceeded/.test(stderr)) {
    return new MediaToolError('diskFull', `${what} found no space left on the worker's disk`);
  }
  // Likewise: a decoder that gets no memory goes on without its pictures. The same file would need as much
  // again.
  if (result.memoryLimitBytes !== null && OUT_OF_MEMORY.test(stderr)) {
    const limitMiB = Math.round(result.memoryLimitBytes / 2 ** 20);
    return new PermanentError(
      'MemoryLimitExceeded',
      `${what} needs more memory for this file than the ${limitMiB} MiB that it may take (MILLRACE_CHILD_MEMORY_MB)`,
    );
  }
  if (end.how === 'exited' && end.exitCode === 0) return null;
  if (end.how === 'notStarted')
    return new MediaToolError('notStarted', `${what} could not be started: ${end.error.message}`);
  if (end.how === 'timedOut') {
    return new MediaToolError(
      'timedOut',
      `${what} was ended after ${Math.round(end.timeoutMs / 1000)} s, its time limit`,
    );
  }
  if (end.how === 'stalled') {
    return new MediaToolError(
      'stalled',
      `${what} was ended: no progress for ${Math.round(end.stallTimeoutMs / 1000)} s`,
    );
  }
  if (end.how === 'signaled')
    return new MediaToolError('crashed', `${what} was ended by ${end.signal}: ${lastLines(stderr)}`);
  for (const [pattern, type, say] of PERMANENT) {
    const match = pattern.exec(stderr);
    if (match !== null) return new PermanentError(type, `The file is ${say(match)}`);
  }
  const code = end.how === 'exited' ? end.exitCode : 'unknown';
  return new MediaToolError('failed', `${what} failed with exit code ${code}: ${lastLines(stderr)}`);
}

/**
 * Throws what a media program's end means: the signal's reason after an abort, a `PermanentError` for what
 * the file is to blame for, a `MediaToolError` (worth a retry) for the rest.
 */
export function throwIfFailed(what: string, result: ProcessResult, signal: AbortSignal | undefined): void {
  if (result.end.how === 'aborted') {
    signal?.throwIfAborted();
    throw new MediaToolError('crashed', `${what} was aborted`);
  }
  const failure = failureOf(what, result);
  if (failure !== null) throw failure;
}

/**
 * The last few lines of a complaint, without our own paths (a tenant reads job errors) and memory addresses.
 */
function lastLines(stderr: string): string {
  const text = stderr
    .replaceAll(/ @ 0x[0-9a-f]+/g, '')
    .replaceAll(/(?:file:)?(?:\/[^\s/'":]+)+\/([^\s/'":]+)/g, '$1')
    .trim();
  return text === '' ? 'no message' : text.split('\n').slice(-4).join(' | ').slice(-600);
}
