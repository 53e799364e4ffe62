import { boundText, cleanJson, cleanText } from '../core/clean-text.ts';
import { type JobLogLevel, MAX_LOG_DATA_LENGTH, MAX_LOG_MESSAGE_LENGTH } from '../core/job-log.ts';
import { redact } from '../core/redaction/redact.ts';
import { redactText } from '../core/redaction/redact-text.ts';
import { textOf } from '../core/text-of.ts';

/** A log line as it is stored. */
export interface LogLine {
  readonly lineNo: number;
  readonly level: JobLogLevel;
  readonly message: string;
  /** JSON text. */
  readonly data: string | null;
  readonly at: Date;
  readonly sizeBytes: number;
}

/**
 * Text and data that Postgres takes, each within its bound, secrets left out. Never throws: a log line must
 * not fail a job.
 */
export function logLine(
  lineNo: number,
  level: JobLogLevel,
  message: string,
  data: Readonly<Record<string, unknown>> | undefined,
  at: Date,
): LogLine {
  const text = cleanText(boundText(redactText(textOf(message)), MAX_LOG_MESSAGE_LENGTH));
  const json = data === undefined ? null : dataText(data);
  return { lineNo, level, message: text, data: json, at, sizeBytes: bytes(text) + bytes(json ?? '') };
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

/** JSON text that jsonb takes. What JSON cannot hold (a circle) is said in its place. */
function dataText(data: unknown): string {
  const json = cleanJson(redact(data, 'brief'));
  if (json.length <= MAX_LOG_DATA_LENGTH) return json;
  return JSON.stringify({
    leftOut: `${json.length} characters of JSON; allowed: ${MAX_LOG_DATA_LENGTH}`,
    head: json.slice(0, MAX_LOG_DATA_LENGTH / 4).toWellFormed(),
  });
}
