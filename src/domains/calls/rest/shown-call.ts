import type { Static } from 'typebox';
import type { CallRow } from '../../../db/prisma.ts';
import type { RestContext } from '../../../rest/context.ts';
import { shownError, shownProgress, timeText } from '../../../rest/shown-job.ts';
import type { CallStatus } from '../call-status.ts';
import { analysisLoader, jobsOfCallLoader, transcriptLoader } from '../graphql/loaders.ts';
import { CALL_STAGES } from '../pipeline/call-stages.ts';
import { costOfCall } from '../use-cases/call-cost.ts';
import { stageStatus } from '../use-cases/stage-status.ts';
import type { CallSchema } from './schemas.ts';

/** A call as answers have it. */
export async function shownCall(context: RestContext, row: CallRow): Promise<Static<typeof CallSchema>> {
  const { operation } = context;
  const [transcript, analysis] = await Promise.all([
    operation.loader(transcriptLoader).load(row.id),
    operation.loader(analysisLoader).load(row.id),
  ]);
  return {
    id: row.id,
    title: row.title,
    status: row.status as CallStatus,
    error: shownError(row.error),
    speakers: row.speakers,
    language: row.language,
    metadata: row.metadata,
    size_bytes: numberOrNull(row.sizeBytes),
    duration_ms: numberOrNull(row.durationMs),
    channel_count: row.channelCount,
    loudness_lufs: row.loudnessLufs,
    is_silent: row.isSilent,
    has_transcript: transcript !== null,
    has_analysis: analysis !== null,
    stages: await stagesOf(context, row),
    cost: shownCost(costOfCall(transcript, analysis)),
    created_by: row.createdBy,
    created_at: timeText(row.createdAt),
    updated_at: timeText(row.updatedAt),
    version: String(row.version),
  };
}

async function stagesOf({ operation }: RestContext, row: CallRow) {
  const jobs = await operation.loader(jobsOfCallLoader).load(row.id);
  const definitions = await Promise.all(
    jobs.map(({ definitionId }) => operation.loaders.definition.load(definitionId)),
  );
  return await Promise.all(
    CALL_STAGES.map(async (stage) => {
      const job = jobs.find((_job, index) => definitions[index]?.key === stage) ?? null;
      const progress = job?.status === 'running' ? await operation.loaders.progress.load(job.id) : null;
      return {
        stage,
        status: stageStatus(job?.status ?? null, row.status),
        job_id: job?.id ?? null,
        progress: progress === null || progress.runNo !== job?.runNo ? null : shownProgress(progress),
      };
    }),
  );
}

function shownCost(cost: ReturnType<typeof costOfCall>): Static<typeof CallSchema>['cost'] {
  return {
    audio_seconds: cost.audioSeconds,
    speech_micros: cost.speechMicros,
    input_tokens: cost.inputTokens,
    output_tokens: cost.outputTokens,
    summary_micros: cost.summaryMicros,
    total_micros: cost.totalMicros,
  };
}

function numberOrNull(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
