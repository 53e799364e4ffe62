import type { Readable } from 'node:stream';
import { parseJson } from '../../../src/core/parse-json.ts';
import type { ProgressUpdate } from '../../handler.ts';
import { LineSplitter } from '../../tools/line-splitter.ts';

/** One line of what a command reports: progress, a result, or both. */
export interface Report {
  readonly progress: ProgressUpdate | null;
  /** Undefined: it says none. */
  readonly result: unknown;
}

const MAX_RESULT_CHARS = 1024 * 1024;

/**
 * Reads a line that a command has written to its progress descriptor: a JSON object with `percent`, `stage`,
 * `message`, `etaSeconds` and `result`, or a number alone, which is the percent. What is neither is null.
 */
export function parseReport(line: string): Report | null {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    return null;
  }
  if (typeof value === 'number') return { progress: { percent: percentOf(value) }, result: undefined };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { percent, stage, message, etaSeconds, result } = value as Readonly<Record<string, unknown>>;
  const progress: ProgressUpdate = {
    ...(typeof percent === 'number' && { percent: percentOf(percent) }),
    ...(typeof stage === 'string' && { stage }),
    ...(typeof message === 'string' && { message }),
    ...(typeof etaSeconds === 'number' && { etaSeconds }),
  };
  return { progress: Object.keys(progress).length > 0 ? progress : null, result };
}

function percentOf(value: number): number {
  return Math.min(100, Math.max(0, value));
}

/** Hands over each line of a pipe until its end; a line that is too long for a report is dropped. */
export function readReports(pipe: Readable, onLine: (line: string) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const lines = new LineSplitter(onLine, MAX_RESULT_CHARS);
  pipe.on('data', (chunk: Buffer) => lines.write(chunk));
  pipe.on('end', () => lines.end());
  pipe.on('close', () => resolve());
  return promise;
}
