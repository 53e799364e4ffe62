import { createHash } from 'node:crypto';
import { DomainError } from '../core/errors.ts';
import { isUuid, uuidOfHex } from '../core/ids.ts';

/** Bytes that say which list a cursor is of. */
const TAG_BYTES = 4;
/** Tag and id: 4 + 16 bytes. */
const CURSOR = /^[A-Za-z0-9_-]{27}$/;

/**
 * An opaque cursor: the list and the row's id, so that a page goes on at the same place whatever was added or
 * deleted meanwhile, and no other list takes it.
 * @param list its name; of a list that belongs to a row, with that row's id: `clips/01…`
 */
export function cursorOf(list: string, id: string): string {
  return Buffer.concat([tagOf(list), Buffer.from(id.replaceAll('-', ''), 'hex')]).toString('base64url');
}

/**
 * The id that a cursor stands for.
 * @param field the argument that holds it
 * @throws DomainError `InvalidArgument` naming the field, for what is no cursor, or that of another list
 */
export function idOfCursor(list: string, field: string, cursor: string): string {
  const bytes = CURSOR.test(cursor) ? Buffer.from(cursor, 'base64url') : null;
  if (bytes?.subarray(0, TAG_BYTES).equals(tagOf(list))) {
    const id = uuidOfHex(bytes.toString('hex', TAG_BYTES));
    if (isUuid(id) && cursorOf(list, id) === cursor) return id;
  }
  throw refusedCursor(field, cursor);
}

/** Four bytes that stand for a list. */
export function tagOf(list: string): Buffer {
  return createHash('sha256').update(list).digest().subarray(0, TAG_BYTES);
}

/** The error about a cursor that is none, or is of another list. */
export function refusedCursor(field: string, cursor: string): DomainError {
  const allowed = 'a cursor from an earlier page of the same list';
  return new DomainError(
    'InvalidArgument',
    `${field} is ${JSON.stringify(cursor.slice(0, 80))}; allowed: ${allowed}.`,
    { field, allowed },
  );
}
