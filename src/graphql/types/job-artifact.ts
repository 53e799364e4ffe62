import type { ArtifactKind } from '../../core/artifact-kind.ts';
import { type ArtifactRow, artifactPageKey, artifactUrl, nameOfArtifact } from '../../jobs/job-artifacts.ts';
import type { SignedUrl } from '../../storage/url-signer.ts';
import { artifactLoader, artifactPageLoader } from '../artifact-loader.ts';
import { builder } from '../builder.ts';
import { type GraphqlContext, loaderOf, loadersOf } from '../context.ts';
import { connectionOf, pageComplexity } from './connections.ts';
import { JobType } from './job.ts';

/** A file with what its domain says of its kind. */
interface Artifact {
  readonly row: ArtifactRow;
  readonly kind: ArtifactKind | null;
}

const JobArtifactType = builder.objectRef<Artifact>('JobArtifact');

builder.node(JobArtifactType, {
  description: 'A file that a job made: a picture, a stream, a clip, a transcript.',
  id: { resolve: ({ row }) => row.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loadArtifact(id, context)),
  fields: (t) => ({
    name: t.string({ description: 'Its file name.', resolve: ({ row }) => nameOfArtifact(row) }),
    kind: t.string({
      description: 'What it is, as its handler says: `poster`, `hls_playlist`, `clip`.',
      resolve: ({ row }) => row.kind,
    }),
    label: t.string({
      description: 'The same in words, where its domain says them; the kind otherwise.',
      resolve: ({ row, kind }) => kind?.label ?? row.kind,
    }),
    contentType: t.string({
      description: 'Its media type: `image/jpeg`, `application/vnd.apple.mpegurl` for a stream.',
      resolve: ({ row }) => row.contentType,
    }),
    sizeBytes: t.field({
      type: 'BigInt',
      description: 'Its size; of a stream that of its playlist alone.',
      resolve: ({ row }) => BigInt(row.sizeBytes),
    }),
    sha256: t.string({ description: 'Its SHA-256, in hexadecimal.', resolve: ({ row }) => row.sha256 }),
    runNo: t.int({
      nullable: true,
      description: 'Which run of the job made it.',
      resolve: ({ row }) => row.runNo,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the run that made it ended.',
      resolve: ({ row }) => row.createdAt,
    }),
    url: t.string({
      nullable: true,
      description:
        'Signed URL; it needs no token, and ends at `urlExpiresAt`. That of a stream opens what its playlist names, too. Null for an API key without the scope that files of its domain take (`videos:read` for those of videos, clips and calls).',
      resolve: async (artifact, _args, context) => (await urlOf(artifact, context))?.url ?? null,
    }),
    urlExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when to open `url`; what is opened before can be played to its end.',
      resolve: async (artifact, _args, context) => (await urlOf(artifact, context))?.expiresAt ?? null,
    }),
  }),
});

const JobArtifactConnection = builder.connectionObject(
  {
    type: JobArtifactType,
    name: 'JobArtifactConnection',
    description: 'A page of the files that a job made, by kind and name.',
  },
  { name: 'JobArtifactEdge', description: 'A file with its cursor.' },
);

builder.objectField(JobType, 'artifacts', (t) =>
  t.field({
    type: JobArtifactConnection,
    complexity: pageComplexity,
    description:
      'The files that it made, by kind and name, with numbers in names as numbers; none of most jobs. A file that a later job has replaced belongs to that job. Pieces of streams (`hls_segment`) are listed where `kind` asks for them.',
    args: {
      kind: t.arg.string({ description: 'Files of this kind alone.' }),
      first: t.arg.int({ description: 'Files of the page, 1 to 100; 50 by default.' }),
      after: t.arg.string({ description: 'Behind this cursor of an earlier page.' }),
    },
    resolve: async (job, args, context) => {
      const { artifactKinds } = context.deps.jobs;
      const key = artifactPageKey(artifactKinds, job.id, args);
      const [page, definition] = await Promise.all([
        loaderOf(context, artifactPageLoader).load(key),
        loadersOf(context).definition.load(job.definitionId),
      ]);
      const edges = page.rows.map((row, at) => ({
        cursor: page.cursors[at] ?? '',
        node: { row, kind: artifactKinds.of(definition?.key ?? '', row.kind) },
      }));
      return connectionOf(page, edges);
    },
  }),
);

/** The artifact of a job that the caller may see; null for any other. */
async function loadArtifact(id: string, context: GraphqlContext): Promise<Artifact | null> {
  const found = await loaderOf(context, artifactLoader).load(id);
  if (found?.jobId == null) return null;
  const job = await loadersOf(context).job.load(found.jobId);
  if (job === null) return null;
  const definition = await loadersOf(context).definition.load(job.definitionId);
  const row = {
    ...found,
    sizeBytes: Number(found.sizeBytes),
    metadata: (found.metadata ?? {}) as ArtifactRow['metadata'],
  };
  return { row, kind: context.deps.jobs.artifactKinds.of(definition?.key ?? '', row.kind) };
}

function urlOf({ row, kind }: Artifact, { deps, actor }: GraphqlContext): Promise<SignedUrl | null> {
  return artifactUrl(deps.jobs, actor, row, kind);
}
