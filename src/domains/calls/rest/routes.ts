import { creatorOf } from '../../../jobs/creator-filter.ts';
import type { RestContext } from '../../../rest/context.ts';
import { etagOf, versionMatchOf } from '../../../rest/etags.ts';
import { answerPage, LINK_HEADER, PAGE_QUERY, pageSchema } from '../../../rest/pages.ts';
import { defineAction, defineRoute, RestReply } from '../../../rest/route.ts';
import { nullable, Type } from '../../../rest/schema.ts';
import { timeText } from '../../../rest/shown-job.ts';
import { CALL_STATUSES } from '../call-status.ts';
import { completeCallUpload } from '../use-cases/complete-call-upload.ts';
import { deleteCall } from '../use-cases/delete-call.ts';
import { findCalls, readCall } from '../use-cases/find-calls.ts';
import { submitCall } from '../use-cases/submit-call.ts';
import { foundCall } from './found-call.ts';
import { CallSchema, CallUploadSchema } from './schemas.ts';
import { shownCall } from './shown-call.ts';

const PARAMS = Type.Object({ call_id: Type.Uuid({ description: 'The call’s id.' }) });
const ETAG = { etag: 'Its version, for `If-Match`.' };

async function answer(context: RestContext, id: string) {
  const row = await foundCall(context, id);
  return new RestReply(await shownCall(context, row), { headers: { etag: etagOf(row.version) } });
}

export const list = defineRoute({
  method: 'GET',
  path: '/calls',
  operationId: 'listCalls',
  tag: 'Calls',
  summary: 'List calls, newest first',
  need: findCalls.need,
  query: Type.Object(
    {
      status: Type.Optional(
        Type.Array(Type.Words(CALL_STATUSES), { description: 'In one of these statuses.' }),
      ),
      created_by: Type.Optional(Type.String({ description: 'Submitted by: `user:<sub>`, `key:<id>`.' })),
      created_by_me: Type.Optional(Type.Boolean({ description: 'Submitted by the caller.' })),
      ...PAGE_QUERY,
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('CallPage', CallSchema),
  answerHeaders: LINK_HEADER,
  errors: ['InvalidArgument'],
  example: { query: { status: ['ready'] }, answer: { data: [], has_more: false, next_cursor: null } },
  run: async (context, { query }) => {
    const { caller, operation, url } = context;
    const filter = {
      statuses: query.status,
      createdBy: creatorOf(query.created_by, query.created_by_me, caller),
    };
    const window = { first: query.limit, after: query.after };
    const page = await findCalls(operation.transaction, caller, filter, window);
    return answerPage(url, page, await Promise.all(page.rows.map((row) => shownCall(context, row))));
  },
});

export const submit = defineAction({
  method: 'POST',
  path: '/calls',
  operationId: 'submitCall',
  tag: 'Calls',
  summary: 'Submit a recording to be transcribed and analysed',
  description:
    'Its recording is uploaded to the URL of the answer, and then completed; or fetched from a public address; or it lies in the store already, below `call-inbox/{tenant id}/`.',
  need: submitCall.need,
  body: Type.Object(
    {
      recording: Type.Object(
        {
          upload: Type.Optional(
            nullable(
              Type.Object(
                {
                  file_name: Type.Optional(Type.NullableString({ description: 'Name of the file.' })),
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
                },
                { title: 'CallUploadInput', additionalProperties: false },
              ),
              { description: 'It is put to the URL of the answer.' },
            ),
          ),
          url: Type.Optional(Type.NullableString({ description: 'It is fetched from here, up to 256 MiB.' })),
          object_key: Type.Optional(
            Type.NullableString({ description: 'It lies in the store under this key.' }),
          ),
        },
        { description: 'Where it comes from: exactly one of the three.', additionalProperties: false },
      ),
      title: Type.Optional(
        Type.NullableString({ description: '1 to 500 characters; by default the name of the file.' }),
      ),
      speakers: Type.Optional(
        Type.Array(Type.String(), { description: 'Who speaks, in the order of the channels; at most 20.' }),
      ),
      language: Type.Optional(Type.NullableString({ description: 'A language tag such as `en-US`.' })),
      metadata: Type.Optional(Type.Map({ description: 'At most 16 KiB, returned as it is.' })),
      keep_recording: Type.Optional(
        Type.Boolean({
          description: 'False removes the recording once its sound is taken out; true by default.',
        }),
      ),
    },
    { title: 'SubmitCall', additionalProperties: false },
  ),
  answer: Type.Object(
    {
      call: CallSchema,
      upload: nullable(CallUploadSchema, {
        description: 'Where to put the recording; then complete it. Null for one that is there.',
      }),
    },
    { title: 'SubmittedCall', additionalProperties: false },
  ),
  status: 201,
  answerHeaders: { location: 'Where the call is.' },
  errors: ['InvalidArgument', 'ObjectNotFound', 'ObjectTooLarge', 'QuotaExceeded', 'DefinitionInactive'],
  example: {
    body: {
      recording: { upload: { file_name: 'call.wav', content_type: 'audio/wav' } },
      speakers: ['Ann', 'Bob'],
      language: 'en-US',
      metadata: { ticket: 7 },
    },
    answer: {},
  },
  act: ({ deps, caller }, { body }) => {
    const { upload, url, object_key } = body.recording;
    return submitCall(deps.jobs, caller, {
      recording: {
        upload:
          upload == null
            ? null
            : {
                fileName: upload.file_name,
                contentType: upload.content_type,
                sizeBytes: upload.size_bytes == null ? null : BigInt(upload.size_bytes),
              },
        url,
        objectKey: object_key,
      },
      title: body.title,
      speakers: body.speakers,
      language: body.language,
      metadata: body.metadata,
      keepRecording: body.keep_recording,
    });
  },
  show: async (context, { callId, upload: target }) => {
    const call = await shownCall(context, await foundCall(context, callId));
    const shownTarget =
      target === null
        ? null
        : {
            method: target.method,
            url: target.url,
            headers: { ...target.headers },
            expires_at: timeText(target.expiresAt),
            max_size_bytes: target.maxSizeBytes,
          };
    return new RestReply({ call, upload: shownTarget }, { headers: { location: `/api/v1/calls/${callId}` } });
  },
});

export const get = defineRoute({
  method: 'GET',
  path: '/calls/:call_id',
  operationId: 'getCall',
  tag: 'Calls',
  summary: 'Read a call with its stages and its cost',
  need: readCall.need,
  params: PARAMS,
  answer: CallSchema,
  answerHeaders: ETAG,
  errors: ['NotFound'],
  example: { params: { call_id: '{call_id}' }, answer: {} },
  run: (context, { params }) => answer(context, params.call_id),
});

export const complete = defineAction({
  method: 'POST',
  path: '/calls/:call_id/complete',
  operationId: 'completeCallUpload',
  tag: 'Calls',
  summary: 'Complete an upload: the call’s pipeline begins',
  need: completeCallUpload.need,
  params: PARAMS,
  body: Type.Object({}, { title: 'CompleteCallUpload', additionalProperties: false }),
  isBodyOptional: true,
  answer: CallSchema,
  answerHeaders: ETAG,
  errors: [
    'NotFound',
    'ObjectNotFound',
    'ObjectTooLarge',
    'QuotaExceeded',
    'InvalidArgument',
    'DefinitionInactive',
    'DedupeBusy',
  ],
  example: { params: { call_id: '{call_id}' }, answer: {} },
  act: ({ deps, caller }, { params }) => completeCallUpload(deps.jobs, caller, params.call_id.toLowerCase()),
  show: (context, { callId }) => answer(context, callId),
});

export const remove = defineRoute({
  method: 'DELETE',
  path: '/calls/:call_id',
  operationId: 'deleteCall',
  tag: 'Calls',
  summary: 'Delete a call with its transcript, analysis, clips and files',
  need: deleteCall.need,
  params: PARAMS,
  errors: ['NotFound', 'PreconditionFailed', 'Busy'],
  takesIfMatch: true,
  example: { params: { call_id: '{spare_call_id}' }, answer: null },
  run: async (context, { params }) => {
    const id = params.call_id.toLowerCase();
    await deleteCall(context.deps.jobs, context.caller, id, versionMatchOf(context));
    return undefined;
  },
});
