import { BoundedMap } from '../bounded-map.ts';
import { DomainError } from '../errors.ts';

/** An instant as a clock on the wall of a zone shows it. */
export interface WallTime {
  /** `2026-03-29T03:00:00`, without an offset. */
  readonly local: string;
  /** Seconds to add to UTC. */
  readonly offsetSeconds: number;
}

/** Names are few, and their spellings are not: case does not count. */
const formats = new BoundedMap<string, Intl.DateTimeFormat>(1_000);

/**
 * Checks the name of a time zone against the runtime's data, the only source of zone rules here: Postgres'
 * own data may be of another release, and two sources would disagree about the same schedule.
 * @returns the zone's name in its usual spelling
 * @throws DomainError `InvalidArgument` for a name that is unknown, and for a plain offset, which knows no
 *   clock changes
 */
export function parseTimeZone(name: string, field = 'timeZone'): string {
  const allowed = 'a name of the IANA time zone database, such as Europe/Berlin or UTC';
  const problem = new DomainError(
    'InvalidArgument',
    `${field} "${name.slice(0, 100)}" is no time zone; allowed: ${allowed}`,
    {
      field,
      allowed,
    },
  );
  if (name.length > 64 || !/^[A-Za-z]/.test(name)) throw problem;
  try {
    return formatFor(name).resolvedOptions().timeZone;
  } catch {
    throw problem;
  }
}

/** The wall time of a zone at an instant, to the second. */
export function wallTimeAt(instant: Date, timeZone: string): WallTime {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatFor(timeZone).formatToParts(instant)) parts[type] = value;
  const local = `${(parts.year ?? '').padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
  const wholeSecondMs = Math.floor(instant.getTime() / 1000) * 1000;
  return { local, offsetSeconds: (Date.parse(`${local}Z`) - wholeSecondMs) / 1000 };
}

/** `+02:00`, or with seconds where a historical offset has them. */
export function offsetText(offsetSeconds: number): string {
  const sign = offsetSeconds < 0 ? '-' : '+';
  const all = Math.abs(offsetSeconds);
  const pad = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const seconds = all % 60 === 0 ? '' : `:${pad(all % 60)}`;
  return `${sign}${pad(all / 3600)}:${pad((all % 3600) / 60)}${seconds}`;
}

/** A format costs about 50 µs to make and there are some 600 zones, so each is made once. */
function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formats.size < 1000) formats.set(timeZone, format);
  return format;
}
