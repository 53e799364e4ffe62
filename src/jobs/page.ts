import { BASE_COST } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { cursorOf, idOfCursor } from './list-cursor.ts';

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

/** A page of a list whose rows have cursors. */
export interface ListedPage<Row> extends Page<Row> {
  /** One a row. */
  readonly cursors: readonly string[];
  /**
   * The cursor of the last row that was looked at, when that ended before the page was full and before the
   * list did; null otherwise.
   */
  readonly stoppedCursor: string | null;
  /** Read from the end of the list. */
  readonly fromEnd: boolean;
}

/** What to fetch: rows between two ids, from one end, one more than the page holds. */
export interface PageWindow {
  readonly list: string;
  readonly id: { readonly lt?: string; readonly gt?: string };
  /** In which rows are read: from the end of the list it is the other one than the list's. */
  readonly direction: 'desc' | 'asc';
  readonly take: number;
  readonly fromEnd: boolean;
  readonly hasAfter: boolean;
  readonly hasBefore: boolean;
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
 * @param order of the list's ids: newest first by default
 * @throws DomainError `InvalidArgument` naming `first`, `last`, `after` or `before`
 */
export function windowOf(list: string, args: PageArgs, order: 'desc' | 'asc' = 'desc'): PageWindow {
  const [behind, ahead] = order === 'desc' ? (['lt', 'gt'] as const) : (['gt', 'lt'] as const);
  return {
    ...frameOf(list, args, order),
    id: {
      ...(args.after != null && { [behind]: idOfCursor(list, 'after', args.after) }),
      ...(args.before != null && { [ahead]: idOfCursor(list, 'before', args.before) }),
    },
  };
}

/** A window without its bounds. @throws DomainError `InvalidArgument` naming `first` or `last` */
export function frameOf(list: string, args: PageArgs, order: 'desc' | 'asc'): Omit<PageWindow, 'id'> {
  const { size, fromEnd } = sizeOf(args);
  const direction = fromEnd ? (order === 'desc' ? 'asc' : 'desc') : order;
  const [hasAfter, hasBefore] = [args.after != null, args.before != null];
  return { list, direction, take: size + 1, fromEnd, hasAfter, hasBefore };
}

/**
 * Fetched rows as a page: the one too many says whether there is more. Their cursors are made of their ids.
 */
export function pageOf<Row extends { readonly id: string }>(
  window: Omit<PageWindow, 'id'>,
  fetched: readonly Row[],
): ListedPage<Row> {
  return pageWithCursors<Row, { readonly id: string }>(window, fetched, null, ({ id }) =>
    cursorOf(window.list, id),
  );
}

/**
 * @param stoppedAt the last row that was looked at, where there may be more behind it that nobody has looked
 *   at
 * @param cursorAt makes the cursor of a row, or of where looking ended
 */
export function pageWithCursors<Row extends Place, Place>(
  { take, fromEnd, hasAfter, hasBefore }: Omit<PageWindow, 'id'>,
  fetched: readonly Row[],
  stoppedAt: Place | null,
  cursorAt: (place: Place) => string,
): ListedPage<Row> {
  const isFull = fetched.length === take;
  const hasMore = isFull || stoppedAt !== null;
  const kept = isFull ? fetched.slice(0, -1) : fetched;
  const rows = fromEnd ? kept.toReversed() : kept;
  return {
    rows,
    cursors: rows.map(cursorAt),
    stoppedCursor: stoppedAt === null ? null : cursorAt(stoppedAt),
    fromEnd,
    hasNextPage: fromEnd ? hasBefore : hasMore,
    hasPreviousPage: fromEnd ? hasMore : hasAfter,
  };
}

function invalid(field: string, value: unknown, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${JSON.stringify(value)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}

/**
 * What a page takes from the caller's rate: by the rows that it may have. Wrong sizes are for `sizeOf` to
 * refuse.
 */
export function costOfPage({ first, last }: PageArgs): number {
  return BASE_COST + Math.min(MAX_PAGE_SIZE, Math.max(0, first ?? last ?? DEFAULT_PAGE_SIZE));
}
