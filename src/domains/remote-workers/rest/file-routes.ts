import { defineRoute, type RestRoute } from '../../../rest/route.ts';
import { createJobUpload, findJobFiles } from '../use-cases/job-files.ts';
import { leaseOf, RUN_EXAMPLE, RUN_PARAMS, TAG } from './run-parts.ts';
import { FilesAnswerSchema, FilesSchema, UploadAnswerSchema, UploadSchema } from './schemas.ts';

const files = defineRoute({
  method: 'POST',
  path: '/worker/jobs/:job_id/files',
  operationId: 'signJobFiles',
  tag: TAG,
  summary: 'Get URLs of the files of a job’s subject',
  need: findJobFiles.need,
  params: RUN_PARAMS,
  body: FilesSchema,
  answer: FilesAnswerSchema,
  errors: ['InvalidArgument', 'LostLease'],
  example: { params: { job_id: '{claimed_job_id}' }, body: RUN_EXAMPLE, answer: { files: [] } },
  run: async ({ deps, caller }, { params, body }) => {
    const found = await findJobFiles(deps.jobs, caller, leaseOf(params, body), body.kind ?? null);
    return {
      files: found.map(({ kind, key, sizeBytes, sha256, contentType, url, urlExpiresAt }) => ({
        kind,
        key,
        size_bytes: sizeBytes,
        sha256,
        content_type: contentType,
        url,
        url_expires_at: urlExpiresAt.toISOString(),
      })),
    };
  },
});

const upload = defineRoute({
  method: 'POST',
  path: '/worker/jobs/:job_id/uploads',
  operationId: 'createJobUpload',
  tag: TAG,
  summary: 'Get a URL to upload a file of a run to',
  description: 'The file becomes an artifact of the job’s subject when the job is completed with its key.',
  need: createJobUpload.need,
  params: RUN_PARAMS,
  body: UploadSchema,
  answer: UploadAnswerSchema,
  status: 201,
  errors: ['InvalidArgument', 'LostLease', 'QuotaExceeded'],
  example: {
    params: { job_id: '{claimed_job_id}' },
    body: { ...RUN_EXAMPLE, name: 'report.csv' },
    answer: {},
  },
  run: async ({ deps, caller }, { params, body }) => {
    const { name, content_type: contentType, size_bytes: sizeBytes } = body;
    const file = { name, contentType, sizeBytes };
    const { key, upload: signed } = await createJobUpload(deps.jobs, caller, leaseOf(params, body), file);
    const { method, url, headers, expiresAt } = signed;
    return { key, method, url, headers, expires_at: expiresAt.toISOString() };
  },
});

export const fileRoutes: readonly RestRoute[] = [files, upload];
