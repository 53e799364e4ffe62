const FORM =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Nobody's fraction of a second is longer. */
const MAX_LENGTH = 64;

/**
 * The time that RFC 3339 text names, to the millisecond; null for other text and for days that no calendar
 * has.
 */
export function parseRfc3339(text: string): Date | null {
  if (text.length > MAX_LENGTH) return null;
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', zone = ''] = match;
  // Date itself takes 30 February for 2 March.
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return null;
  const time = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone.toUpperCase()}`,
  );
  return Number.isNaN(time.getTime()) ? null : time;
}
