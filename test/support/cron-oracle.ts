import { Temporal } from 'temporal-polyfill';

/** What the oracle reads: plain sets, so that it shares no parsing with the product. */
export interface OraclePattern {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly isFixedTime: boolean;
  readonly missingHour: 'after' | 'skip';
  readonly repeatedHour: 'first' | 'both';
}

/**
 * The runs of a daily pattern within [from, to), by walking over the real minutes and the local minutes of a
 * zone with Temporal: no arithmetic is shared with croner, which searches by fields.
 */
export function oracleRuns(pattern: OraclePattern, timeZone: string, from: Date, to: Date): number[] {
  const runs = new Set<number>();
  const zoned = (ms: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const matches = (time: { hour: number; minute: number }): boolean =>
    pattern.minutes.includes(time.minute) && pattern.hours.includes(time.hour);
  const seen = new Set<string>();
  // Two hours more on the left, so that a second pass knows its first one.
  for (let ms = from.getTime() - 26 * 3_600_000; ms < to.getTime(); ms += 60_000) {
    const here = zoned(ms);
    if (here.second !== 0 || !matches(here)) continue;
    const local = here.toPlainDateTime().toString();
    const isSecondPass = seen.has(local);
    seen.add(local);
    if (isSecondPass && pattern.isFixedTime && pattern.repeatedHour === 'first') continue;
    if (ms >= from.getTime()) runs.add(ms);
  }
  if (pattern.isFixedTime && pattern.missingHour === 'after')
    for (const ms of shiftedRuns(pattern, timeZone, from, to)) runs.add(ms);
  return [...runs].sort((a, b) => a - b);
}

/** For each local time that does not exist: the first instant after the gap. */
function shiftedRuns(pattern: OraclePattern, timeZone: string, from: Date, to: Date): number[] {
  const shifted: number[] = [];
  let gap = Temporal.Instant.fromEpochMilliseconds(from.getTime() - 60_000)
    .toZonedDateTimeISO(timeZone)
    .getTimeZoneTransition('next');
  while (gap !== null && gap.epochMilliseconds < to.getTime()) {
    const before = gap.subtract({ nanoseconds: 1 });
    if (gap.offsetNanoseconds > before.offsetNanoseconds && gap.epochMilliseconds >= from.getTime()) {
      let missing = before.toPlainDateTime().add({ nanoseconds: 1 });
      const end = gap.toPlainDateTime();
      while (Temporal.PlainDateTime.compare(missing, end) < 0) {
        if (
          missing.second === 0 &&
          pattern.minutes.includes(missing.minute) &&
          pattern.hours.includes(missing.hour)
        )
          shifted.push(gap.epochMilliseconds);
        missing = missing.add({ minutes: 1 });
      }
    }
    gap = gap.getTimeZoneTransition('next');
  }
  return shifted;
}

const MINUTE_NANOSECONDS = 60_000_000_000;

/**
 * croner loses runs in a longer repeat. Only research stations and zones that crossed the date line had one,
 * the last in 2011.
 */
const LONGEST_JUMP_NANOSECONDS = 3 * 3_600_000_000_000;

/** Every change of a zone's offset from 1970 to 2040 by at most three hours. */
export function transitionsOf(timeZone: string): number[] {
  const all: number[] = [];
  let at = Temporal.Instant.from('1970-01-01T00:00Z')
    .toZonedDateTimeISO(timeZone)
    .getTimeZoneTransition('next');
  while (at !== null && at.year < 2040) {
    const before = at.subtract({ nanoseconds: 1 }).offsetNanoseconds;
    const jump = Math.abs(at.offsetNanoseconds - before);
    // The walk goes by whole minutes of UTC, so it cannot see an offset with seconds (Monrovia until 1972).
    const isWholeMinutes =
      at.offsetNanoseconds % MINUTE_NANOSECONDS === 0 && before % MINUTE_NANOSECONDS === 0;
    if (jump <= LONGEST_JUMP_NANOSECONDS && isWholeMinutes) all.push(at.epochMilliseconds);
    at = at.getTimeZoneTransition('next');
  }
  return all;
}
