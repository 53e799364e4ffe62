import type { JobLogLevel, JobLogLine } from '../../src/client/index.ts';
import { fetchRest } from '../api/rest.ts';
import type { LogLineShown } from './shown-line.ts';

interface SentLine {
  readonly run_no: number;
  readonly line_no: number;
  readonly level: string;
  readonly message: string;
  readonly data: unknown;
  readonly logged_at: string;
}

/**
 * The lines of a job's log before a cursor, oldest first, in one answer however many they are.
 * @param take is called with each piece that comes
 * @throws MillraceError; whatever `fetch` throws
 */
export async function readLinesBefore(
  jobId: string,
  before: string,
  signal: AbortSignal,
  take: (lines: readonly LogLineShown[]) => void,
): Promise<void> {
  const path = `/jobs/${jobId}/log?all=1&before=${before}`;
  const { body } = await fetchRest(path, 'application/x-ndjson', signal);
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const texts = (rest + piece.value).split('\n');
    rest = texts.pop() ?? '';
    if (texts.length > 0) take(texts.map(lineOf));
  }
}

/** The whole log as a text file. @throws MillraceError; whatever `fetch` throws */
export async function wholeLogFile(jobId: string): Promise<Blob> {
  return await (await fetchRest(`/jobs/${jobId}/log?all=1`, 'text/plain')).blob();
}

function lineOf(text: string): LogLineShown {
  const { run_no, line_no, level, message, data, logged_at } = JSON.parse(text) as SentLine;
  return {
    runNo: run_no,
    lineNo: line_no,
    level: level.toUpperCase() as JobLogLevel,
    message,
    data: data as JobLogLine['data'],
    loggedAt: logged_at,
  };
}
