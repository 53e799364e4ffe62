import { etagOf, versionMatchOf } from '../../../rest/etags.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineAction, defineRoute, RestReply, type RestRoute } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { LINK_STATUSES } from '../link-status.ts';
import { deleteLink } from '../use-cases/delete-link.ts';
import { findLinks, readLink } from '../use-cases/find-links.ts';
import { readLinkText } from '../use-cases/read-link-text.ts';
import { submitLink } from '../use-cases/submit-link.ts';
import { LinkSchema, LinkTextSchema, SubmitLinkSchema } from './schemas.ts';
import { foundLink, shownLink } from './shown-link.ts';

export const TAG = 'Links';
export const LINK_PARAMS = Type.Object({ link_id: Type.Uuid({ description: 'The link’s id.' }) });

const submit = defineAction({
  method: 'POST',
  path: '/links',
  operationId: 'submitLink',
  tag: TAG,
  summary: 'Submit a link',
  description: 'Its row and the job that reads it are there together.',
  need: submitLink.need,
  body: SubmitLinkSchema,
  answer: LinkSchema,
  status: 201,
  otherStatuses: { 200: 'There was a link with that `source_ref`.' },
  answerHeaders: { location: 'Where the link is.' },
  errors: ['InvalidArgument', 'DefinitionInactive'],
  example: { body: { url: 'https://example.com/', source_ref: 'bookmark-7' }, answer: {} },
  act: ({ deps, caller }, { body }) =>
    submitLink(deps.jobs, caller, { url: body.url, sourceRef: body.source_ref }),
  show: async (context, { linkId, created }) =>
    new RestReply(shownLink(await foundLink(context, linkId)), {
      status: created ? 201 : 200,
      headers: { location: `/api/v1/links/${linkId}` },
    }),
});

const list = defineRoute({
  method: 'GET',
  path: '/links',
  operationId: 'listLinks',
  tag: TAG,
  summary: 'List links, newest first',
  need: findLinks.need,
  query: Type.Object(
    {
      status: Type.Optional(Type.Words(LINK_STATUSES, { description: 'Where they stand.' })),
      ...PAGE_QUERY,
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('LinkPage', LinkSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { answer: { data: [], has_more: false, next_cursor: null } },
  run: async ({ operation, caller, url }, { query }) => {
    const page = await findLinks(
      operation.transaction,
      caller,
      { status: query.status },
      { first: query.limit, after: query.after },
    );
    return answerPage(url, page, page.rows.map(shownLink));
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/links/:link_id',
  operationId: 'getLink',
  tag: TAG,
  summary: 'Read a link',
  need: readLink.need,
  params: LINK_PARAMS,
  answer: LinkSchema,
  answerHeaders: { etag: 'Its version, for `If-Match`.' },
  errors: ['NotFound'],
  example: { params: { link_id: '{link_id}' }, answer: {} },
  run: async (context, { params }) => {
    const row = await foundLink(context, params.link_id);
    return new RestReply(shownLink(row), { headers: { etag: etagOf(row.version) } });
  },
});

const text = defineRoute({
  method: 'GET',
  path: '/links/:link_id/text',
  operationId: 'getLinkText',
  tag: TAG,
  summary: 'Read the text of a link',
  need: readLinkText.need,
  params: LINK_PARAMS,
  answer: LinkTextSchema,
  errors: ['NotFound'],
  example: { params: { link_id: '{link_id}' }, answer: { text: 'Honey bees dance.', segments: [] } },
  run: async (context, { params }) => {
    const { id } = await foundLink(context, params.link_id);
    const found = await readLinkText(context.operation.transaction, context.caller, id);
    return {
      text: found?.text ?? '',
      segments: (found?.segments ?? []).map(({ startMs, endMs, text: said }) => ({
        start_ms: startMs,
        end_ms: endMs,
        text: said,
      })),
    };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/links/:link_id',
  operationId: 'deleteLink',
  tag: TAG,
  summary: 'Delete a link with its text and vectors, and cancel its jobs',
  need: deleteLink.need,
  params: LINK_PARAMS,
  errors: ['NotFound', 'PreconditionFailed', 'Busy'],
  takesIfMatch: true,
  example: { params: { link_id: '{spare_link_id}' }, answer: null },
  run: async (context, { params }) => {
    const id = params.link_id.toLowerCase();
    await deleteLink(context.deps.jobs, context.caller, id, versionMatchOf(context));
    return undefined;
  },
});

export const linkRoutes: readonly RestRoute[] = [submit, list, get, text, remove];
