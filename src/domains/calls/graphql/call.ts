import type { CallRow, JobProgressRow, JobRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';
import { type GraphqlContext, loaderOf, loadersOf } from '../../../graphql/context.ts';
import { JobType } from '../../../graphql/types/job.ts';
import { JobErrorType, storedError } from '../../../graphql/types/job-error.ts';
import { JobProgressType } from '../../../graphql/types/job-progress.ts';
import { StageStatusEnum } from '../../../graphql/types/stage-status.ts';
import { lifeOfPlayed } from '../../../jobs/url-life.ts';
import { fileNameOf } from '../../../storage/content-disposition.ts';
import { CALL_STAGES, type CallStage } from '../pipeline/call-stages.ts';
import type { CallArtifactRow } from '../sql/find-call-artifacts.ts';
import { costOfCall } from '../use-cases/call-cost.ts';
import { stageStatus } from '../use-cases/stage-status.ts';
import { CallAnalysisType } from './call-analysis.ts';
import { CallCostType } from './call-cost.ts';
import { CallType } from './call-ref.ts';
import { CallTranscriptType } from './call-transcript.ts';
import { CallStageEnum, CallStatusEnum } from './enums.ts';
import {
  analysisLoader,
  artifactsOfCallLoader,
  callLoader,
  jobsOfCallLoader,
  transcriptLoader,
} from './loaders.ts';

interface StageOfCall {
  readonly stage: CallStage;
  readonly job: JobRow | null;
  readonly call: CallRow;
}

const CallStageState = builder.objectRef<StageOfCall>('CallStageState').implement({
  description: 'A stage of a call, with the newest job that runs it.',
  fields: (t) => ({
    stage: t.expose('stage', { type: CallStageEnum, description: 'Which.' }),
    status: t.field({
      type: StageStatusEnum,
      description: 'Current status. A stage that a call did not need succeeds with the call.',
      resolve: ({ job, call }) => stageStatus(job?.status ?? null, call.status),
    }),
    job: t.field({
      type: JobType,
      nullable: true,
      authScopes: { member: true },
      description: 'Its job; null while its turn has not come.',
      resolve: ({ job }) => job,
    }),
    progress: t.field({
      type: JobProgressType,
      nullable: true,
      description: 'How far the run at work on it is; null when none is.',
      resolve: ({ job }, _args, context) => progressOf(job, context),
    }),
  }),
});

const CallArtifact = builder
  .objectRef<{ readonly call: CallRow; readonly row: CallArtifactRow }>('CallArtifact')
  .implement({
    description: 'A file of a call.',
    fields: (t) => ({
      kind: t.string({
        description: '`call_recording`, `call_audio`, `call_waveform`, `call_ogg` or `call_transcript`.',
        resolve: ({ row }) => row.kind,
      }),
      sizeBytes: t.field({
        type: 'BigInt',
        description: 'Its size.',
        resolve: ({ row }) => BigInt(row.sizeBytes),
      }),
      sha256: t.string({ description: 'Its SHA-256, in hexadecimal.', resolve: ({ row }) => row.sha256 }),
      contentType: t.string({ description: 'Its media type.', resolve: ({ row }) => row.contentType }),
      url: t.string({
        description: 'Signed URL; it needs no token.',
        resolve: async ({ call, row }, _args, { deps }) => {
          const life = lifeOfPlayed(deps.jobs.config, Number(call.durationMs ?? 0));
          return (await deps.jobs.urls.get(row.key, { ...life, fileName: fileNameOf(call.title, row.key) }))
            .url;
        },
      }),
    }),
  });

builder.node(CallType, {
  description: 'A recorded call: its sound, what was said in it, and what that is about.',
  id: { resolve: (call) => call.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loaderOf(context, callLoader).load(id)),
  fields: (t) => ({
    uuid: t.expose('id', {
      type: 'UUID',
      description: 'The plain key, as SQL, logs and object names have it.',
    }),
    title: t.exposeString('title', { description: 'Its title.' }),
    status: t.field({
      type: CallStatusEnum,
      description: 'Current status.',
      resolve: ({ status }) => status as never,
    }),
    speakers: t.exposeStringList('speakers', {
      description: 'Names of those who speak, in the order of the channels.',
    }),
    language: t.exposeString('language', { nullable: true, description: 'As it was submitted.' }),
    metadata: t.field({
      type: 'JSON',
      description: 'As it was submitted.',
      resolve: ({ metadata }) => metadata,
    }),
    durationMs: t.field({
      type: 'Float',
      nullable: true,
      description: 'Its length in milliseconds; null until its sound is there.',
      resolve: ({ durationMs }) => (durationMs === null ? null : Number(durationMs)),
    }),
    channelCount: t.exposeInt('channelCount', {
      nullable: true,
      description: 'Channels of its sound, 1 or 2; two channels with one sound are one.',
    }),
    loudnessLufs: t.exposeFloat('loudnessLufs', {
      nullable: true,
      description: 'How loud it is as a whole (EBU R 128); null where that cannot be said.',
    }),
    isSilent: t.exposeBoolean('isSilent', { nullable: true, description: 'Nobody is to be heard.' }),
    error: t.field({
      type: JobErrorType,
      nullable: true,
      description: 'Why it failed.',
      resolve: ({ error }) => storedError(error),
    }),
    progress: t.field({
      type: JobProgressType,
      nullable: true,
      description: 'How far the run at work on it is; null when none is.',
      resolve: async ({ id }, _args, context) => {
        const jobs = await loaderOf(context, jobsOfCallLoader).load(id);
        return progressOf(jobs.find(({ status }) => status === 'running') ?? null, context);
      },
    }),
    cost: t.field({
      type: CallCostType,
      description: 'What it has cost so far.',
      resolve: async ({ id }, _args, context) =>
        costOfCall(
          await loaderOf(context, transcriptLoader).load(id),
          await loaderOf(context, analysisLoader).load(id),
        ),
    }),
    transcript: t.field({
      type: CallTranscriptType,
      nullable: true,
      description: 'What was said; null until it is known.',
      resolve: ({ id }, _args, context) => loaderOf(context, transcriptLoader).load(id),
    }),
    analysis: t.field({
      type: CallAnalysisType,
      nullable: true,
      description: 'What that is about; null until it is known.',
      resolve: ({ id }, _args, context) => loaderOf(context, analysisLoader).load(id),
    }),
    stages: t.field({
      type: [CallStageState],
      complexity: { field: 1, multiplier: CALL_STAGES.length },
      description: 'Its stages, in their order.',
      resolve: async (call, _args, context) => {
        const jobs = await loaderOf(context, jobsOfCallLoader).load(call.id);
        const keys = await keysOf(jobs, context);
        return CALL_STAGES.map((stage) => ({
          stage,
          job: jobs.find((job) => keys.get(job.definitionId) === stage) ?? null,
          call,
        }));
      },
    }),
    artifacts: t.field({
      type: [CallArtifact],
      complexity: { field: 1, multiplier: 10 },
      description: 'Its files.',
      resolve: async (call, _args, context) => {
        const rows = await loaderOf(context, artifactsOfCallLoader).load(call.id);
        return rows.map((row) => ({ call, row }));
      },
    }),
    createdBy: t.exposeString('createdBy', { nullable: true, description: 'Who submitted it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was submitted.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    version: t.expose('version', { type: 'BigInt', description: 'Grows with each change of the row.' }),
  }),
});

async function keysOf(
  jobs: readonly JobRow[],
  context: GraphqlContext,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(jobs.map(({ definitionId }) => definitionId))];
  const rows = await Promise.all(ids.map((id) => loadersOf(context).definition.load(id)));
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row.id, row.key] as const])));
}

async function progressOf(job: JobRow | null, context: GraphqlContext): Promise<JobProgressRow | null> {
  if (job?.status !== 'running') return null;
  const progress = await loadersOf(context).progress.load(job.id);
  return progress?.runNo === job.runNo ? progress : null;
}
