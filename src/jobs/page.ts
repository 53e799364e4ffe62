import { DomainError } from '../core/errors.ts';
import { isUuid, uuidOfHex } from '../core/ids.ts';

/** Relay's arguments. Newest first: `after` goes to older rows, `before` to newer ones. */
export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

/** One page, newest first. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** What to fetch: rows between two ids, from one end, one more than the page holds. */
export interface PageWindow {
  readonly id: { readonly lt?: string; readonly gt?: string };
  readonly direction: 'desc' | 'asc';
  readonly take: number;
}

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

/** An opaque cursor: the row's id, so that a page goes on at the same place whatever was added or deleted meanwhile. */
export function cursorOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/**
 * How many rows a page holds, and from which end of the list.
 * @throws DomainError `InvalidArgument` naming `first` or `last`
 */
export function sizeOf(args: PageArgs): { readonly size: number; readonly fromEnd: boolean } {
  const first = args.first ?? null;
  const last = args.last ?? null;
  if (first !== null && last !== null) throw invalid('last', last, 'either first or last, not both');
  const [field, size] =
    last === null ? (['first', first ?? DEFAULT_PAGE_SIZE] as const) : (['last', last] as const);
  if (size < 1 || size > MAX_PAGE_SIZE) throw invalid(field, size, `1 to ${MAX_PAGE_SIZE}`);
  return { size, fromEnd: last !== null };
}

/** @throws DomainError `InvalidArgument` naming `first`, `last`, `after` or `before` */
export function windowOf(args: PageArgs): PageWindow {
  const { size, fromEnd } = sizeOf(args);
  return {
    id: {
      ...(args.after != null && { lt: idOfCursor('after', args.after) }),
      ...(args.before != null && { gt: idOfCursor('before', args.before) }),
    },
    direction: fromEnd ? 'asc' : 'desc',
    take: size + 1,
  };
}

/** Fetched rows as a page: the one too many says whether there is more. */
export function pageOf<Row>(window: PageWindow, fetched: readonly Row[]): Page<Row> {
  const hasMore = fetched.length === window.take;
  const rows = hasMore ? fetched.slice(0, -1) : fetched;
  if (window.direction === 'desc')
    return { rows, hasNextPage: hasMore, hasPreviousPage: window.id.lt !== undefined };
  return { rows: rows.toReversed(), hasNextPage: window.id.gt !== undefined, hasPreviousPage: hasMore };
}

/** The id that a cursor stands for. @throws DomainError `InvalidArgument` naming the field */
export function idOfCursor(field: string, cursor: string): string {
  const hex = /^[A-Za-z0-9_-]{22}$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('hex') : '';
  const id = uuidOfHex(hex);
  if (isUuid(id)) return id;
  throw invalid(field, cursor.slice(0, 80), 'a cursor from an earlier page');
}

function invalid(field: string, value: unknown, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${JSON.stringify(value)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}
