import { boundText, cleanJson, cleanText } from '../../src/core/clean-text.ts';
import { type JobLogLevel, MAX_LOG_DATA_LENGTH, MAX_LOG_MESSAGE_LENGTH } from '../../src/core/job-log.ts';
import { SECRET_NAMES, SECRET_SHOWN } from '../../src/core/secret-names.ts';

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

const SECRETS: ReadonlySet<string> = new Set(SECRET_NAMES);

/** Text and data that Postgres takes, each within its bound, secrets left out. Never throws: a log line must not fail a job. */
export function logLine(
  lineNo: number,
  level: JobLogLevel,
  message: string,
  data: Readonly<Record<string, unknown>> | undefined,
  at: Date,
): LogLine {
  const text = boundText(cleanText(String(message)), MAX_LOG_MESSAGE_LENGTH);
  const json = data === undefined ? null : dataText(data);
  return { lineNo, level, message: text, data: json, at, sizeBytes: bytes(text) + bytes(json ?? '') };
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

/** JSON text that jsonb takes. What JSON cannot hold (a circle) is said instead of the data. */
function dataText(data: Readonly<Record<string, unknown>>): string {
  let json: string;
  try {
    json = cleanJson(JSON.parse(JSON.stringify(data, shown) ?? 'null'));
  } catch (error) {
    return JSON.stringify({ leftOut: `not JSON: ${cleanText(String(error)).slice(0, 300)}` });
  }
  if (json.length <= MAX_LOG_DATA_LENGTH) return json;
  return JSON.stringify({
    leftOut: `${json.length} characters of JSON; allowed: ${MAX_LOG_DATA_LENGTH}`,
    head: json.slice(0, MAX_LOG_DATA_LENGTH / 4).toWellFormed(),
  });
}

/** A replacer for JSON.stringify: secrets by name, and what it would lose or choke on. */
function shown(name: string, value: unknown): unknown {
  if (SECRETS.has(name)) return SECRET_SHOWN;
  if (value instanceof Error) return { name: value.name, message: value.message };
  return typeof value === 'bigint' ? value.toString() : value;
}
