import { isUuid, uuidOfHex } from '../core/ids.ts';
import type { TimePlace } from '../db/time-order.ts';
import { refusedCursor, tagOf } from './list-cursor.ts';

const TAG_BYTES = 4;
const MICROS_BYTES = 8;
/** Tag, microseconds and id: 4 + 8 + 16 bytes. */
const CURSOR = /^[A-Za-z0-9_-]{38}$/;
/** The end of the year 9999: what is later is no time of a job. */
const MOST_MICROS = 253_402_300_800_000_000n;

/** An opaque cursor of a list in an order by a time. */
export function timeCursor(list: string, { timeMicros, id }: TimePlace): string {
  const micros = Buffer.alloc(MICROS_BYTES);
  micros.writeBigInt64BE(BigInt(timeMicros));
  const bytes = [tagOf(list), micros, Buffer.from(id.replaceAll('-', ''), 'hex')];
  return Buffer.concat(bytes).toString('base64url');
}

/**
 * The place that a cursor stands for.
 * @throws DomainError `InvalidArgument` naming the field, for what is no cursor, or that of another list
 */
export function timePlaceOf(list: string, field: string, cursor: string): TimePlace {
  const bytes = CURSOR.test(cursor) ? Buffer.from(cursor, 'base64url') : null;
  if (bytes?.subarray(0, TAG_BYTES).equals(tagOf(list))) {
    const micros = bytes.readBigInt64BE(TAG_BYTES);
    const place = {
      timeMicros: String(micros),
      id: uuidOfHex(bytes.toString('hex', TAG_BYTES + MICROS_BYTES)),
    };
    const isPlace = micros >= 0n && micros < MOST_MICROS && isUuid(place.id);
    if (isPlace && timeCursor(list, place) === cursor) return place;
  }
  throw refusedCursor(field, cursor);
}
