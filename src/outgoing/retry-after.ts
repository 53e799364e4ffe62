const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 3_600;

/**
 * How long an answer asks to wait, in seconds: `retry-after` as seconds or as a date, or `retry-after-ms`. 30
 * where it does not say, at most an hour.
 * @param headers with names in lower case
 * @param nowMs the time that a date is compared with
 */
export function retryAfterSeconds(
  headers: Readonly<Record<string, string>>,
  nowMs: number = Date.now(),
): number {
  const ms = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(ms)) return bounded(ms / 1_000);
  const given = headers['retry-after']?.trim();
  if (given === undefined || given === '') return DEFAULT_SECONDS;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return bounded(seconds);
  const date = Date.parse(given);
  return Number.isNaN(date) ? DEFAULT_SECONDS : bounded((date - nowMs) / 1_000);
}

function bounded(seconds: number): number {
  return Math.min(MAX_SECONDS, Math.max(0, seconds));
}
