import { crc32 } from 'node:zlib';
import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import type { ListName } from './list-kind.ts';
import type { PageStart, Position, ServerIdentity } from './position.ts';
import { below, type Snapshot } from './snapshot.ts';

/** Where to go on. */
export interface CursorTarget {
  readonly position: Position;
  /** Part of what was missed since has been delivered already: all up to this job. */
  readonly page: PageStart | null;
}

/**
 * What a cursor of each list begins with: one of another list would go on with things that were never sent.
 */
function versionOf(list: ListName): string {
  return list === 'jobs' ? '1' : `1.${list}`;
}

/** With more transactions under way the cursor forgets which, and some changes come twice. */
const MAX_XIP = 500;
const MAX_LENGTH = 8_192;

/** Cursor of an event within an initial state, of whatever list: resuming from it starts afresh. */
export const FRESH_CURSOR = seal([versionOf('jobs'), 'fresh']);

const encoded = new WeakMap<Position, Record<ListName, string>>();

/** The cursor of a position: opaque text of A–Z, a–z, 0–9, `-` and `_`. */
export function encodeCursor(position: Position, list: ListName = 'jobs'): string {
  const known = encoded.get(position) ?? {};
  encoded.set(position, known);
  known[list] ??= seal(headOf(position, list));
  return known[list];
}

/**
 * The cursor of an event in the middle of catching up. Without it a client that is always cut off before the
 * end would be sent the same beginning forever.
 */
export function encodePageCursor(
  position: Position,
  { upTo, afterId }: PageStart,
  list: ListName = 'jobs',
): string {
  return seal([...headOf(position, list), ...tailOf(upTo), afterId]);
}

/**
 * Reads a cursor that a client sent; null for one that starts afresh.
 * @param list what it is to go on with
 * @throws DomainError `InvalidArgument` for anything that was not made here
 */
export function decodeCursor(cursor: string, list: ListName = 'jobs'): CursorTarget | null {
  const fields = unseal(cursor);
  if (fields?.[0] === versionOf('jobs') && fields[1] === 'fresh' && fields.length === 2) return null;
  const target = fields?.[0] === versionOf(list) ? targetFrom(fields) : null;
  if (target !== null) return target;
  const shown = cursor.length > 60 ? `${cursor.slice(0, 60)}…` : cursor;
  throw new DomainError('InvalidArgument', `after: ${JSON.stringify(shown)} is not a cursor of this feed`, {
    field: 'after',
    allowed: 'a cursor that an event of this feed carried',
  });
}

function headOf(position: Position, list: ListName): string[] {
  const { systemId, timeline } = position.server;
  return [versionOf(list), systemId, timeline.toString(36), ...tailOf(position)];
}

/** What may differ between two positions of one server. */
function tailOf({ server, takenAtMs, snapshot }: Position): string[] {
  const { xmin, xmax, xip } = xipLimited(snapshot);
  // Distances rather than ids: they are short, and a busy server has a hundred of them.
  const distances = xip.map((xid, index) => (xid - (xip[index - 1] ?? xmin)).toString(36));
  const numbers = [BigInt(Math.floor(takenAtMs)), xmin, xmax - xmin].map((number) => number.toString(36));
  return [server.life, ...numbers, distances.join(',')];
}

function targetFrom(fields: readonly string[]): CursorTarget | null {
  const [, systemId = '', timelineText = '', ...rest] = fields;
  const timeline = Number(fromBase36(timelineText) ?? -1n);
  if (!/^-?\d{1,20}$/.test(systemId) || timeline < 0) return null;
  const identity = { systemId, timeline };
  const position = positionFrom(identity, rest.slice(0, TAIL_FIELDS));
  if (position === null) return null;
  if (rest.length === TAIL_FIELDS) return { position, page: null };
  const upTo = positionFrom(identity, rest.slice(TAIL_FIELDS, 2 * TAIL_FIELDS));
  const afterId = rest[2 * TAIL_FIELDS] ?? '';
  if (upTo === null || rest.length !== 2 * TAIL_FIELDS + 1 || !isUuid(afterId)) return null;
  return { position, page: { upTo, afterId } };
}

const TAIL_FIELDS = 5;

function positionFrom(identity: Omit<ServerIdentity, 'life'>, fields: readonly string[]): Position | null {
  const [life = '', takenAtText = '', xminText = '', widthText = '', distances = ''] = fields;
  const [takenAt, xmin, width] = [takenAtText, xminText, widthText].map(fromBase36);
  if (fields.length !== TAIL_FIELDS || !/^\d{1,20}\.\d{1,20}$/.test(life)) return null;
  if (takenAt === undefined || xmin === undefined || width === undefined) return null;
  const xip: bigint[] = [];
  for (const text of distances === '' ? [] : distances.split(',')) {
    const distance = fromBase36(text);
    if (distance === undefined) return null;
    xip.push((xip.at(-1) ?? xmin) + distance);
  }
  const snapshot = { xmin, xmax: xmin + width, xip };
  return isPlausible(snapshot)
    ? { server: { ...identity, life }, snapshot, takenAtMs: Number(takenAt) }
    : null;
}

/** The ids become parameters of type xid8, which has 64 bits. */
function isPlausible({ xmin, xmax, xip }: Snapshot): boolean {
  const ascending = xip.every(
    (xid, index) => xid >= xmin && xid < xmax && (index === 0 || xid > (xip[index - 1] ?? 0n)),
  );
  return xmax < 2n ** 63n && ascending && xip.length <= MAX_XIP;
}

function xipLimited(snapshot: Snapshot): Snapshot {
  return snapshot.xip.length > MAX_XIP ? below(snapshot.xmin) : snapshot;
}

/**
 * The checksum distinguishes a cursor that was cut or mangled on its way from one that reads as something
 * else.
 */
function seal(fields: readonly string[]): string {
  const text = fields.join(':');
  return Buffer.from(`${text}:${crc32(text).toString(36)}`).toString('base64url');
}

function unseal(cursor: string): string[] | null {
  if (cursor.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  const fields = Buffer.from(cursor, 'base64url').toString('latin1').split(':');
  fields.pop();
  return seal(fields) === cursor ? fields : null;
}

function fromBase36(text: string): bigint | undefined {
  if (!/^[0-9a-z]{1,13}$/.test(text)) return undefined;
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}
