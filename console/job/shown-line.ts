import type { JobLogLine } from '../../src/client/index.ts';

/** A line as pages show it. */
export type LogLineShown = Omit<JobLogLine, 'cursor'>;

/** Which output of a command has written it; null for a line of a handler. */
export function streamOf({ data }: LogLineShown): 'stdout' | 'stderr' | null {
  const stream = (data as { stream?: unknown } | null)?.stream;
  return stream === 'stdout' || stream === 'stderr' ? stream : null;
}

/**
 * The fields of a line, as they stand behind its message; empty where there are none, or it is an output's.
 */
export function dataText(line: LogLineShown): string {
  const { data } = line;
  if (data === null || data === undefined || streamOf(line) !== null) return '';
  return Object.keys(data).length === 0 ? '' : JSON.stringify(data);
}
