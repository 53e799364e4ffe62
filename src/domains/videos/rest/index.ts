import type { Static } from 'typebox';
import type { VideoRow } from '../../../db/prisma.ts';
import { creatorOf } from '../../../jobs/creator-filter.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { readVideo } from '../../../jobs/read-one.ts';
import type { RestContext } from '../../../rest/context.ts';
import { etagOf, versionMatchOf } from '../../../rest/etags.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineAction, defineRoute, type RestPart, RestReply } from '../../../rest/route.ts';
import { Type } from '../../../rest/schema.ts';
import { shownError, timeText } from '../../../rest/shown-job.ts';
import { timeOf } from '../../../rest/times.ts';
import { progressOfVideoLoader, videoLoader } from '../graphql/loaders.ts';
import { completeVideoUpload } from '../uploads/complete-video-upload.ts';
import { createVideo } from '../use-cases/create-video.ts';
import { deleteVideo } from '../use-cases/delete-video.ts';
import { findVideos } from '../use-cases/find-videos.ts';
import { importVideo } from '../use-cases/import-video.ts';
import { updateVideo } from '../use-cases/update-video.ts';
import { videoUrls } from '../use-cases/video-urls.ts';
import { VIDEO_STATUSES, type VideoStatus } from '../video-status.ts';
import { UploadSchema, VideoSchema } from './schemas.ts';

const PARAMS = Type.Object({ video_id: Type.Uuid({ description: 'The video’s id.' }) });
const ETAG = { etag: 'Its version, for `If-Match`.' };

/** A video as answers have it. */
export async function shownVideo(
  { deps, operation }: RestContext,
  row: VideoRow,
): Promise<Static<typeof VideoSchema>> {
  const preview = async () =>
    (await operation.loader(progressOfVideoLoader).load(row.id))?.previewKey ?? null;
  const urls = await videoUrls(deps.jobs, row, preview);
  return {
    id: row.id,
    title: row.title,
    status: row.status as VideoStatus,
    error: shownError(row.error),
    content_type: row.contentType,
    size_bytes: row.sizeBytes === null ? null : Number(row.sizeBytes),
    duration_ms: row.durationMs === null ? null : Number(row.durationMs),
    width_px: row.widthPx,
    height_px: row.heightPx,
    fps: row.fps,
    original_url: urls.original,
    playlist_url: urls.playlist,
    poster_url: urls.poster,
    urls_expire_at: timeText(urls.expiresAt),
    created_by: row.ownerId,
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
    version: String(row.version),
  };
}

/** @throws DomainError `NotFound` */
export async function foundVideo({ operation, caller }: RestContext, videoId: string): Promise<VideoRow> {
  const id = videoId.toLowerCase();
  const row = await readVideo(operation.loader(videoLoader), caller, id);
  if (row !== null) return row;
  throw notFound('video', id);
}

async function answer(context: RestContext, id: string) {
  const row = await foundVideo(context, id);
  return new RestReply(await shownVideo(context, row), { headers: { etag: etagOf(row.version) } });
}

const list = defineRoute({
  method: 'GET',
  path: '/videos',
  operationId: 'listVideos',
  tag: 'Videos',
  summary: 'List videos, newest first',
  need: findVideos.need,
  query: Type.Object(
    {
      status: Type.Optional(
        Type.Array(Type.Words(VIDEO_STATUSES), { description: 'In one of these statuses.' }),
      ),
      title: Type.Optional(Type.String({ description: 'With this text in their title.' })),
      created_by: Type.Optional(Type.String({ description: 'Made by: `user:<sub>`, `key:<id>`.' })),
      created_by_me: Type.Optional(Type.Boolean({ description: 'Made by the caller.' })),
      created_after: Type.Optional(Type.Time({ description: 'Made at or after.' })),
      created_before: Type.Optional(Type.Time({ description: 'Made before.' })),
      ...PAGE_QUERY,
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('VideoPage', VideoSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { query: { status: ['ready'] }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async (context, { query }) => {
    const { caller, operation, url } = context;
    const filter = {
      statuses: query.status,
      title: query.title,
      createdBy: creatorOf(query.created_by, query.created_by_me, caller),
      createdAfter: timeOf('created_after', query.created_after),
      createdBefore: timeOf('created_before', query.created_before),
    };
    const page = await findVideos(operation.transaction, caller, filter, {
      first: query.limit,
      after: query.after,
    });
    return answerPage(url, page, await Promise.all(page.rows.map((row) => shownVideo(context, row))));
  },
});

const create = defineAction({
  method: 'POST',
  path: '/videos',
  operationId: 'createVideo',
  tag: 'Videos',
  summary: 'Make a video and the signed URL for its upload',
  need: createVideo.need,
  body: Type.Object(
    {
      title: Type.String({ description: '1 to 500 characters.' }),
      file_name: Type.Optional(Type.NullableString({ description: 'Only its extension is used.' })),
      content_type: Type.Optional(
        Type.NullableString({ description: 'When given, the upload must have it.' }),
      ),
      size_bytes: Type.Optional(
        Type.NullableInteger({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'When given, the upload may not be larger.',
        }),
      ),
      languages: Type.Optional(
        Type.Array(Type.String(), { description: 'The languages of its texts, by Tesseract’s names.' }),
      ),
    },
    { title: 'CreateVideo', additionalProperties: false },
  ),
  answer: Type.Object(
    { video: VideoSchema, upload: UploadSchema },
    { title: 'CreatedVideo', additionalProperties: false },
  ),
  status: 201,
  answerHeaders: { location: 'Where the video is.' },
  errors: ['InvalidArgument', 'ObjectTooLarge', 'QuotaExceeded'],
  example: { body: { title: 'A talk', file_name: 'talk.mp4', content_type: 'video/mp4' }, answer: {} },
  act: ({ deps, caller }, { body }) =>
    createVideo(deps.jobs, caller, {
      title: body.title,
      fileName: body.file_name,
      contentType: body.content_type,
      sizeBytes: body.size_bytes == null ? null : BigInt(body.size_bytes),
      languages: body.languages,
    }),
  show: async (context, { videoId, upload, maxSizeBytes, resumable }) => {
    const video = await shownVideo(context, await foundVideo(context, videoId));
    const shownUpload = {
      method: upload.method,
      url: upload.url,
      headers: { ...upload.headers },
      expires_at: timeText(upload.expiresAt),
      max_size_bytes: maxSizeBytes,
      resumable_url: resumable.url,
    };
    return new RestReply(
      { video, upload: shownUpload },
      { headers: { location: `/api/v1/videos/${videoId}` } },
    );
  },
});

const importFrom = defineAction({
  method: 'POST',
  path: '/videos/import',
  operationId: 'importVideo',
  tag: 'Videos',
  summary: 'Make a video of a file at a public address',
  description: 'A job fetches the file, and the video’s pipeline follows by itself.',
  need: importVideo.need,
  body: Type.Object(
    {
      url: Type.String({
        description: 'The file’s own URL, `http://` or `https://`. Shown to nobody later.',
      }),
      title: Type.Optional(
        Type.NullableString({ description: '1 to 500 characters; by default the file’s name.' }),
      ),
      languages: Type.Optional(
        Type.Array(Type.String(), { description: 'The languages of its texts, by Tesseract’s names.' }),
      ),
    },
    { title: 'ImportVideo', additionalProperties: false },
  ),
  answer: VideoSchema,
  status: 201,
  answerHeaders: { location: 'Where the video is.' },
  errors: ['InvalidArgument', 'QuotaExceeded', 'DefinitionInactive'],
  example: { body: { url: 'https://example.com/talk.mp4' }, answer: {} },
  act: ({ deps, caller }, { body }) => importVideo(deps.jobs, caller, body),
  show: async (context, { videoId }) => {
    const video = await shownVideo(context, await foundVideo(context, videoId));
    return new RestReply(video, { headers: { location: `/api/v1/videos/${videoId}` } });
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/videos/:video_id',
  operationId: 'getVideo',
  tag: 'Videos',
  summary: 'Read a video',
  need: readVideo.need,
  params: PARAMS,
  answer: VideoSchema,
  answerHeaders: ETAG,
  errors: ['NotFound'],
  example: { params: { video_id: '{video_id}' }, answer: {} },
  run: (context, { params }) => answer(context, params.video_id),
});

const update = defineRoute({
  method: 'PATCH',
  path: '/videos/:video_id',
  operationId: 'updateVideo',
  tag: 'Videos',
  summary: 'Give a video another title, or other languages before its upload',
  need: updateVideo.need,
  params: PARAMS,
  body: Type.Object(
    {
      title: Type.Optional(Type.NullableString({ description: '1 to 500 characters.' })),
      languages: Type.Optional(Type.Array(Type.String(), { description: 'The languages of its texts.' })),
    },
    { title: 'UpdateVideo', additionalProperties: false },
  ),
  answer: VideoSchema,
  answerHeaders: ETAG,
  errors: ['NotFound', 'InvalidArgument', 'PreconditionFailed', 'Busy'],
  takesIfMatch: true,
  example: { params: { video_id: '{video_id}' }, body: { title: 'A better title' }, answer: {} },
  run: async (context, { params, body }) => {
    const id = params.video_id.toLowerCase();
    await updateVideo(context.deps.jobs, context.caller, id, body, versionMatchOf(context));
    await context.operation.renew();
    return await answer(context, id);
  },
});

const complete = defineAction({
  method: 'POST',
  path: '/videos/:video_id/complete',
  operationId: 'completeVideoUpload',
  tag: 'Videos',
  summary: 'Complete an upload: the video’s pipeline begins',
  need: completeVideoUpload.need,
  params: PARAMS,
  body: Type.Object({}, { title: 'CompleteVideoUpload', additionalProperties: false }),
  isBodyOptional: true,
  answer: VideoSchema,
  answerHeaders: ETAG,
  errors: [
    'NotFound',
    'ObjectNotFound',
    'ObjectTooLarge',
    'QuotaExceeded',
    'DefinitionInactive',
    'DedupeBusy',
    'Busy',
    'InvalidArgument',
  ],
  example: { params: { video_id: '{uploaded_video_id}' }, answer: {} },
  act: ({ deps, caller }, { params }) =>
    completeVideoUpload(deps.jobs, caller, params.video_id.toLowerCase()),
  show: (context, { videoId }) => answer(context, videoId),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/videos/:video_id',
  operationId: 'deleteVideo',
  tag: 'Videos',
  summary: 'Delete a video with its clips and texts',
  need: deleteVideo.need,
  params: PARAMS,
  errors: ['NotFound', 'PreconditionFailed', 'Busy'],
  takesIfMatch: true,
  example: { params: { video_id: '{spare_video_id}' }, answer: null },
  run: async (context, { params }) => {
    const id = params.video_id.toLowerCase();
    await deleteVideo(context.deps.jobs, context.caller, id, versionMatchOf(context));
    return undefined;
  },
});

/** What videos add to the REST API. */
export const restPart: RestPart = { routes: [list, create, importFrom, get, update, complete, remove] };
