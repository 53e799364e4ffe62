import { artifactPageLoader } from '../../graphql/artifact-loader.ts';
import { artifactPageKey, artifactUrl, nameOfArtifact } from '../../jobs/job-artifacts.ts';
import { readJob } from '../../jobs/read-one.ts';
import { answerRows, LINK_HEADER, PAGE_QUERY, pageSchema } from '../pages.ts';
import { defineRoute } from '../route.ts';
import { Type } from '../schema.ts';
import { timeOrNull, timeText } from '../shown-job.ts';
import { foundJob } from './job-attempts.ts';
import { JOB_PARAMS } from './jobs.ts';

const ArtifactSchema = Type.Object(
  {
    name: Type.String({ description: 'Its file name.' }),
    kind: Type.String({ description: 'What it is, as its handler says: `poster`, `hls_playlist`, `clip`.' }),
    label: Type.String({ description: 'The same in words; the kind where nobody says any.' }),
    content_type: Type.String({ description: 'Its media type.' }),
    size_bytes: Type.Integer({ description: 'Its size; of a stream that of its playlist alone.' }),
    sha256: Type.String({ description: 'Its SHA-256, in hexadecimal.' }),
    run_no: Type.NullableInteger({ description: 'Which run of the job made it.' }),
    created_at: Type.Time({ description: 'When the run that made it ended.' }),
    url: Type.NullableString({
      description:
        'Signed URL; it needs no token. Null for an API key without the scope that files of its domain take.',
    }),
    url_expires_at: Type.NullableTime({ description: 'Until when to open `url`.' }),
  },
  { title: 'JobArtifact', description: 'A file that a job made.', additionalProperties: false },
);

const listArtifacts = defineRoute({
  method: 'GET',
  path: '/jobs/:job_id/artifacts',
  operationId: 'listJobArtifacts',
  tag: 'Jobs',
  summary: 'List the files that a job made, with signed URLs',
  need: readJob.need,
  params: JOB_PARAMS,
  query: Type.Object(
    {
      ...PAGE_QUERY,
      kind: Type.Optional(
        Type.String({
          description: 'Files of this kind alone. Pieces of streams (`hls_segment`) are listed only so.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  answer: pageSchema('JobArtifactPage', ArtifactSchema),
  answerHeaders: LINK_HEADER,
  errors: ['NotFound', 'InvalidArgument'],
  example: {
    params: { job_id: '{job_id}' },
    answer: { data: [], has_more: false, next_cursor: null },
  },
  run: async (context, { params, query }) => {
    const { deps, operation, caller, url } = context;
    const job = await foundJob(context, params.job_id);
    const { kind, limit: first, after } = query;
    const key = artifactPageKey(deps.jobs.artifactKinds, job.id, { kind, first, after });
    const page = await operation.loader(artifactPageLoader).load(key);
    const definition = await operation.loaders.definition.load(job.definitionId);
    const data = await Promise.all(
      page.rows.map(async (row) => {
        const known = deps.jobs.artifactKinds.of(definition?.key ?? '', row.kind);
        const signed = await artifactUrl(deps.jobs, caller, row, known);
        return {
          name: nameOfArtifact(row),
          kind: row.kind,
          label: known?.label ?? row.kind,
          content_type: row.contentType,
          size_bytes: row.sizeBytes,
          sha256: row.sha256,
          run_no: row.runNo,
          created_at: timeText(row.createdAt),
          url: signed?.url ?? null,
          url_expires_at: timeOrNull(signed?.expiresAt ?? null),
        };
      }),
    );
    return answerRows(url, data, page.hasNextPage ? (page.cursors.at(-1) ?? null) : null);
  },
});

export const artifactRoutes = [listArtifacts];
