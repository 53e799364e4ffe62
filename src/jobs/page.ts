import { BASE_COST } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { idOfCursor } from './list-cursor.ts';

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

/** A page of a list whose rows have cursors of their ids. */
export interface ListedPage<Row> extends Page<Row> {
  /** What `cursorOf` takes. */
  readonly list: string;
  /** The last row that was looked at, where looking ended before the page was full and before the list did; null otherwise. */
  readonly stoppedAt: string | null;
  /** From which end the page was read. */
  readonly direction: 'desc' | 'asc';
}

/** What to fetch: rows between two ids, from one end, one more than the page holds. */
export interface PageWindow {
  readonly list: string;
  readonly id: { readonly lt?: string; readonly gt?: string };
  readonly direction: 'desc' | 'asc';
  readonly take: number;
}

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

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

/**
 * @param list what its cursors are made with
 * @throws DomainError `InvalidArgument` naming `first`, `last`, `after` or `before`
 */
export function windowOf(list: string, args: PageArgs): PageWindow {
  const { size, fromEnd } = sizeOf(args);
  return {
    list,
    id: {
      ...(args.after != null && { lt: idOfCursor(list, 'after', args.after) }),
      ...(args.before != null && { gt: idOfCursor(list, 'before', args.before) }),
    },
    direction: fromEnd ? 'asc' : 'desc',
    take: size + 1,
  };
}

/**
 * Fetched rows as a page: the one too many says whether there is more.
 * @param stoppedAt the last row that was looked at, where there may be more behind it that nobody has looked at
 */
export function pageOf<Row>(
  window: PageWindow,
  fetched: readonly Row[],
  stoppedAt: string | null = null,
): ListedPage<Row> {
  const isFull = fetched.length === window.take;
  const hasMore = isFull || stoppedAt !== null;
  const rows = isFull ? fetched.slice(0, -1) : fetched;
  const { list, direction, id } = window;
  const about = { list, direction, stoppedAt };
  if (direction === 'desc')
    return { ...about, rows, hasNextPage: hasMore, hasPreviousPage: id.lt !== undefined };
  return { ...about, rows: rows.toReversed(), hasNextPage: id.gt !== undefined, hasPreviousPage: hasMore };
}

function invalid(field: string, value: unknown, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${JSON.stringify(value)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}

/** What a page takes from the caller's rate: by the rows that it may have. Wrong sizes are for `sizeOf` to refuse. */
export function costOfPage({ first, last }: PageArgs): number {
  return BASE_COST + Math.min(MAX_PAGE_SIZE, Math.max(0, first ?? last ?? DEFAULT_PAGE_SIZE));
}
