import type { Static } from 'typebox';
import type { ClipRow } from '../../../db/prisma.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { readClip } from '../../../jobs/read-one.ts';
import type { RestContext } from '../../../rest/context.ts';
import { etagOf, versionMatchOf } from '../../../rest/etags.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineAction, defineRoute, type RestPart, RestReply } from '../../../rest/route.ts';
import { nullable, Type } from '../../../rest/schema.ts';
import { JobErrorSchema } from '../../../rest/schemas/job.ts';
import { shownError, timeOrNull, timeText } from '../../../rest/shown-job.ts';
import { callLoader, foundCall } from '../../calls/api.ts';
import { foundVideo, videoLoader } from '../../videos/api.ts';
import { CLIP_STATUSES, clipStatus } from '../clip-status.ts';
import { clipLoader } from '../graphql/loaders.ts';
import { DEFAULT_PADDING_MS } from '../use-cases/clip-range.ts';
import { clipUrl } from '../use-cases/clip-url.ts';
import { deleteClip } from '../use-cases/delete-clip.ts';
import { findClips } from '../use-cases/find-clips.ts';
import { requestClip } from '../use-cases/request-clip.ts';

const FIELD_NAMES = {
  videoId: 'video_id',
  callId: 'call_id',
  tStartMs: 't_start',
  tEndMs: 't_end',
  paddingMs: 'padding_ms',
};

const ClipSchema = Type.Object(
  {
    id: Type.Uuid({ description: 'Its id.' }),
    video_id: Type.NullableUuid({ description: 'The video it is a piece of; null of a call.' }),
    call_id: Type.NullableUuid({ description: 'The call it is a piece of; null of a video.' }),
    job_id: Type.NullableUuid({ description: 'The job that makes it, or made it.' }),
    status: Type.Words(CLIP_STATUSES, { description: 'Current status.' }),
    t_start: Type.Integer({ description: 'Where the range that was asked for begins, in milliseconds.' }),
    t_end: Type.Integer({ description: 'Where it ends.' }),
    padding_ms: Type.Integer({ description: 'What is added at either side.' }),
    start_ms: Type.NullableInteger({ description: 'Where the clip really begins; null until it is ready.' }),
    end_ms: Type.NullableInteger({ description: 'Where it really ends.' }),
    size_bytes: Type.NullableInteger({ description: 'Size of its file.' }),
    sha256: Type.NullableString({ description: 'SHA-256 of its file, in hexadecimal.' }),
    url: Type.NullableString({ description: 'Signed URL of its file; null until it is ready.' }),
    url_expires_at: Type.NullableTime({ description: 'Until when `url` is good.' }),
    error: nullable(JobErrorSchema, { description: 'Why it failed, where it did.' }),
    expires_at: Type.NullableTime({ description: 'When it is deleted.' }),
    created_by: Type.NullableString({ description: 'Who asked first.' }),
    created_at: Type.Time({ description: 'When it was first asked for.' }),
    updated_at: Type.Time({ description: 'When it last changed.' }),
    version: Type.String({ description: 'Grows with each change; the same as the ETag.' }),
  },
  { title: 'Clip', description: 'A piece of a video or of a call’s sound.', additionalProperties: false },
);

const PARAMS = Type.Object({ clip_id: Type.Uuid({ description: 'The clip’s id.' }) });

async function shownClip(context: RestContext, row: ClipRow): Promise<Static<typeof ClipSchema>> {
  const isReady = row.status === 'ready';
  const job = row.jobId === null ? null : await context.operation.loaders.job.load(row.jobId);
  const url = isReady ? await urlOf(context, row) : null;
  return {
    id: row.id,
    video_id: row.videoId,
    call_id: row.callId,
    job_id: row.jobId,
    status: clipStatus(row.status, job?.status ?? null),
    t_start: Number(row.tStartMs),
    t_end: Number(row.tEndMs),
    padding_ms: Number(row.paddingMs),
    start_ms: isReady && row.startMs !== null ? Number(row.startMs) : null,
    end_ms: isReady && row.endMs !== null ? Number(row.endMs) : null,
    size_bytes: isReady && row.sizeBytes !== null ? Number(row.sizeBytes) : null,
    sha256: isReady ? row.sha256 : null,
    url: url?.url ?? null,
    url_expires_at: url === null ? null : timeText(url.expiresAt),
    error: shownError(row.error),
    expires_at: timeOrNull(row.expiresAt),
    created_by: row.createdBy,
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
    version: String(row.version),
  };
}

async function urlOf({ deps, operation }: RestContext, row: ClipRow) {
  if (row.objectKey === null) return null;
  const source =
    row.videoId === null
      ? await operation.loader(callLoader).load(row.callId as string)
      : await operation.loader(videoLoader).load(row.videoId);
  return await clipUrl(deps.jobs, {
    key: row.objectKey,
    expiresAt: row.expiresAt,
    title: source?.title ?? '',
    startMs: Number(row.tStartMs),
    endMs: Number(row.tEndMs),
  });
}

async function found({ operation, caller }: RestContext, clipId: string): Promise<ClipRow> {
  const id = clipId.toLowerCase();
  const row = await readClip(operation.loader(clipLoader), caller, id);
  if (row !== null) return row;
  throw notFound('clip', id);
}

const request = defineAction({
  method: 'POST',
  path: '/clips',
  operationId: 'requestClip',
  tag: 'Clips',
  summary: 'Ask for a clip; the same range gives the same clip',
  need: requestClip.need,
  body: Type.Object(
    {
      video_id: Type.Optional(Type.NullableUuid({ description: 'The video.' })),
      call_id: Type.Optional(
        Type.NullableUuid({ description: 'In its place, the call: the clip is of its sound.' }),
      ),
      t_start: Type.Integer({ description: 'Where it begins, in milliseconds.' }),
      t_end: Type.Integer({ description: 'Where it ends.' }),
      padding_ms: Type.Optional(
        Type.Integer({ description: `Added at either side; ${DEFAULT_PADDING_MS} by default.` }),
      ),
    },
    { title: 'RequestClip', additionalProperties: false },
  ),
  answer: ClipSchema,
  status: 201,
  otherStatuses: { 200: 'The clip was there already, or is being made.' },
  answerHeaders: { location: 'Where the clip is.' },
  errors: [
    'NotFound',
    'ObjectNotFound',
    'InvalidArgument',
    'DefinitionInactive',
    'DedupeBusy',
    'QuotaExceeded',
  ],
  example: { body: { video_id: '{uploaded_video_id}', t_start: 1500, t_end: 3000 }, answer: {} },
  act: ({ deps, caller }, { body }) =>
    requestClip(
      deps.jobs,
      caller,
      {
        videoId: body.video_id?.toLowerCase(),
        callId: body.call_id?.toLowerCase(),
        tStartMs: body.t_start,
        tEndMs: body.t_end,
        paddingMs: body.padding_ms ?? DEFAULT_PADDING_MS,
      },
      FIELD_NAMES,
    ),
  show: async (context, { clipId, created }) =>
    new RestReply(await shownClip(context, await found(context, clipId)), {
      status: created ? 201 : 200,
      headers: { location: `/api/v1/clips/${clipId}` },
    }),
});

const get = defineRoute({
  method: 'GET',
  path: '/clips/:clip_id',
  operationId: 'getClip',
  tag: 'Clips',
  summary: 'Read a clip',
  need: readClip.need,
  params: PARAMS,
  answer: ClipSchema,
  answerHeaders: { etag: 'Its version, for `If-Match`.' },
  errors: ['NotFound'],
  example: { params: { clip_id: '{clip_id}' }, answer: {} },
  run: async (context, { params }) => {
    const row = await found(context, params.clip_id);
    return new RestReply(await shownClip(context, row), { headers: { etag: etagOf(row.version) } });
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/clips/:clip_id',
  operationId: 'deleteClip',
  tag: 'Clips',
  summary: 'Delete a clip',
  need: deleteClip.need,
  params: PARAMS,
  errors: ['NotFound', 'PreconditionFailed', 'Busy'],
  takesIfMatch: true,
  example: { params: { clip_id: '{spare_clip_id}' }, answer: null },
  run: async (context, { params }) => {
    const id = params.clip_id.toLowerCase();
    await deleteClip(context.deps.jobs, context.caller, id, versionMatchOf(context));
    return undefined;
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/videos/:video_id/clips',
  operationId: 'listClips',
  tag: 'Clips',
  summary: 'List the clips of a video, newest first',
  need: findClips.need,
  params: Type.Object({ video_id: Type.Uuid({ description: 'The video’s id.' }) }),
  query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
  answer: pageSchema('ClipPage', ClipSchema),
  answerHeaders: LINK_HEADER,
  errors: ['NotFound', 'InvalidArgument'],
  example: { params: { video_id: '{video_id}' }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async (context, { params, query }) => {
    const { id } = await foundVideo(context, params.video_id);
    const page = await findClips(
      { reads: context.operation.transaction },
      context.caller,
      { videoId: id },
      {
        first: query.limit,
        after: query.after,
      },
    );
    return answerPage(context.url, page, await Promise.all(page.rows.map((row) => shownClip(context, row))));
  },
});

const listOfCall = defineRoute({
  method: 'GET',
  path: '/calls/:call_id/clips',
  operationId: 'listCallClips',
  tag: 'Clips',
  summary: 'List the clips of a call, newest first',
  need: findClips.need,
  params: Type.Object({ call_id: Type.Uuid({ description: 'The call’s id.' }) }),
  query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
  answer: pageSchema('CallClipPage', ClipSchema),
  answerHeaders: LINK_HEADER,
  errors: ['NotFound', 'InvalidArgument'],
  example: { params: { call_id: '{call_id}' }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async (context, { params, query }) => {
    const { id } = await foundCall(context, params.call_id);
    const reads = { reads: context.operation.transaction };
    const page = await findClips(
      reads,
      context.caller,
      { callId: id },
      { first: query.limit, after: query.after },
    );
    return answerPage(context.url, page, await Promise.all(page.rows.map((row) => shownClip(context, row))));
  },
});

/** What clips add to the REST API. */
export const restPart: RestPart = { routes: [request, get, remove, list, listOfCall] };
