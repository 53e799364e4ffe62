import type { Static, TSchema, TUnsafe } from 'typebox';
import { DEFAULT_PAGE_SIZE, type ListedPage, MAX_PAGE_SIZE } from '../jobs/page.ts';
import { RestReply } from './route.ts';
import { Type } from './schema.ts';

/** What every list takes: newest first, `after` goes to older rows. */
export const PAGE_QUERY = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      description: `Rows of the page; ${DEFAULT_PAGE_SIZE} by default.`,
    }),
  ),
  after: Type.Optional(Type.String({ description: 'Behind this cursor: `next_cursor` of an earlier page.' })),
};

export const LINK_HEADER = {
  link: '`<…>; rel="next"`: the next page (RFC 8288), where there is one.',
};

/** A page of rows. There is no total: counting would read them all. */
export function pageSchema<S extends TSchema>(title: string, item: S) {
  return Type.Object(
    {
      data: Type.Array(item, { description: 'The rows of the page.' }),
      has_more: Type.Boolean({ description: 'Whether there are more: go on with `after`.' }),
      next_cursor: Type.NullableString({
        description: 'What `after` takes for the next page; null at the end.',
      }),
    },
    { title, additionalProperties: false },
  ) as unknown as TUnsafe<{
    data: Static<S>[];
    has_more: boolean;
    next_cursor: string | null;
  }>;
}

/** A page of rows, with its link to the next. */
export function answerPage<Shown>(
  url: string,
  page: ListedPage<unknown>,
  shown: readonly Shown[],
): RestReply<{ data: readonly Shown[]; has_more: boolean; next_cursor: string | null }> {
  const end = page.stoppedCursor ?? page.cursors.at(-1) ?? null;
  return answerRows(url, shown, page.hasNextPage ? end : null);
}

/** The same by the cursor of the next page; null at the end. */
export function answerRows<Shown>(
  url: string,
  data: readonly Shown[],
  cursor: string | null,
): RestReply<{ data: readonly Shown[]; has_more: boolean; next_cursor: string | null }> {
  const headers = cursor === null ? {} : { link: `<${nextUrl(url, cursor)}>; rel="next"` };
  return new RestReply({ data, has_more: cursor !== null, next_cursor: cursor }, { headers });
}

/** The URL of a list with another `after`; an offset is in the cursor. */
function nextUrl(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const asked = new URLSearchParams(query);
  asked.delete('offset');
  asked.set('after', cursor);
  return `${path}?${asked}`;
}
