import { builder } from '../../../graphql/builder.ts';
import { write } from '../../../graphql/mutations/write.ts';
import { Forbidden, InvalidArgument, LostLease, QuotaExceeded } from '../../../graphql/types/errors.ts';
import { createJobUpload, findJobFiles, type JobFile, type JobUpload } from '../use-cases/job-files.ts';
import { JobLeaseInput, leaseOfInput } from './lease-input.ts';

const FAILURES = [Forbidden, InvalidArgument, LostLease];
const LEASE = { type: JobLeaseInput, required: true, description: 'The run.' } as const;

const JobFileType = builder.objectRef<JobFile>('JobFile').implement({
  description: 'A file of a job’s subject.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'What it is.' }),
    key: t.exposeString('key', { description: 'Its name in the store.' }),
    sizeBytes: t.exposeFloat('sizeBytes', { description: 'Size in bytes.' }),
    sha256: t.exposeString('sha256', { description: 'Lower-case hex; empty where it is not known.' }),
    contentType: t.exposeString('contentType', { description: 'Media type.' }),
    url: t.exposeString('url', { description: 'Where to read it; signed.' }),
    urlExpiresAt: t.expose('urlExpiresAt', { type: 'DateTime', description: 'Until when.' }),
  }),
});

const SignJobFilesInput = builder.inputType('SignJobFilesInput', {
  description: 'Which files.',
  fields: (t) => ({
    lease: t.field(LEASE),
    kind: t.string({ description: 'Only files of this kind.' }),
  }),
});

const SignJobFilesPayload = builder
  .objectRef<{ readonly files: readonly JobFile[] }>('SignJobFilesPayload')
  .implement({
    description: 'The files, with signed URLs.',
    fields: (t) => ({
      files: t.field({
        type: [JobFileType],
        description: 'At most 200, by key.',
        resolve: ({ files }) => files,
      }),
    }),
  });

builder.mutationField('signJobFiles', (t) =>
  t.field({
    type: SignJobFilesPayload,
    description: 'Gives signed URLs for the files that earlier runs have published for the job’s subject.',
    args: { input: t.arg({ type: SignJobFilesInput, required: true, description: 'The run.' }) },
    errors: {
      union: { name: 'SignJobFilesResult', description: 'The files, or why there are none.' },
      types: FAILURES,
    },
    resolve: (_root, { input: { lease, kind } }, context) =>
      write(context, async () => ({
        files: await findJobFiles(context.deps.jobs, context.actor, leaseOfInput(lease), kind ?? null),
      })),
  }),
);

const CreateJobUploadInput = builder.inputType('CreateJobUploadInput', {
  description: 'A file that a run is to write.',
  fields: (t) => ({
    lease: t.field(LEASE),
    name: t.string({ required: true, description: 'Its name: 1 to 151 of a-z, A-Z, 0-9, _, -, ..' }),
    contentType: t.string({
      description: 'Its media type, which the upload must then carry; by the name by default.',
    }),
    sizeBytes: t.int({ description: 'Its exact size, where it is known.' }),
  }),
});

const CreateJobUploadPayload = builder.objectRef<JobUpload>('CreateJobUploadPayload').implement({
  description: 'Where to write the file.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'For `completeJob`, which makes an artifact of it.' }),
    method: t.string({ description: 'The HTTP method.', resolve: ({ upload }) => upload.method }),
    url: t.string({ description: 'Where to; signed.', resolve: ({ upload }) => upload.url }),
    requestHeaders: t.field({
      type: 'JSON',
      description: 'Headers to send with it.',
      resolve: ({ upload }) => upload.headers,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Until when.',
      resolve: ({ upload }) => upload.expiresAt,
    }),
  }),
});

builder.mutationField('createJobUpload', (t) =>
  t.field({
    type: CreateJobUploadPayload,
    description: 'Gives a URL to upload one file of a run to.',
    args: {
      input: t.arg({ type: CreateJobUploadInput, required: true, description: 'The run and the file.' }),
    },
    errors: {
      union: { name: 'CreateJobUploadResult', description: 'The URL, or why there is none.' },
      types: [...FAILURES, QuotaExceeded],
    },
    resolve: (_root, { input: { lease, ...file } }, context) =>
      write(context, () => createJobUpload(context.deps.jobs, context.actor, leaseOfInput(lease), file)),
  }),
);
