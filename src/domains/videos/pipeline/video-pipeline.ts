import type { JobStatus } from '../../../core/job.ts';
import type { StageStatus } from '../../../core/pipelines/stage-status.ts';
import { VIDEO_STAGES, type VideoStage } from './video.ts';

/** A job of a stage with what its run last said. */
export interface StageJob {
  readonly id: string;
  readonly definitionKey: string;
  readonly status: JobStatus;
  /** The job of the stage before, at whose end this one was enqueued. */
  readonly sourceRef: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly percent: number | null;
  readonly etaSeconds: number | null;
  /** When the run said so. */
  readonly progressAt: Date | null;
}

export interface PipelineStage {
  readonly stage: VideoStage;
  readonly status: StageStatus;
  /** 0 to 100; null while the length of the work is unknown. */
  readonly percent: number | null;
  readonly etaSeconds: number | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Jobs that share it, in the order they were made; one, but for the reading of a long video. */
  readonly jobIds: readonly string[];
}

export interface VideoPipeline {
  readonly percent: number;
  /** Null before it can be computed, and once the pipeline has ended. */
  readonly etaSeconds: number | null;
  /** The stage that is at work or has its turn; null before the upload and after the end. */
  readonly stage: VideoStage | null;
  readonly stages: readonly PipelineStage[];
}

/**
 * Share of the whole in percent, as a minute of a 1080p screen recording takes on a machine of two cores
 * (docs/performance.md).
 */
const SHARES: Readonly<Record<VideoStage, number>> = { transcode: 30, sample: 20, ocr: 45, segment_index: 5 };

/**
 * How far a video's newest way through its pipeline is. Pure.
 * @param jobs its stages' jobs, in any order, older ways through among them
 */
export function videoPipeline(jobs: readonly StageJob[], now: Date): VideoPipeline {
  const way = newestWay(jobs);
  const stages = VIDEO_STAGES.map((stage, index) => {
    // Jobs are deleted when their time is up, the first ones first: what came later shows that they ended
    // well.
    const hasGone = way[index]?.length === 0 && way.slice(index + 1).some((later) => later.length > 0);
    const found = stageOf(stage, way[index] ?? [], now);
    return hasGone ? { ...found, status: 'succeeded' as const, percent: 100 } : found;
  });
  const percent = stages.reduce(
    (sum, { stage, percent: done }) => sum + (SHARES[stage] * (done ?? 0)) / 100,
    0,
  );
  const current =
    stages.find(({ status }) => status === 'running') ?? stages.find(({ status }) => status === 'queued');
  const startedAt = stages[0]?.startedAt ?? null;
  return {
    // Never up: it is at 100 when all is done, and not before.
    percent: Math.floor(percent * 10) / 10,
    etaSeconds: current === undefined ? null : extrapolate(startedAt, percent, now),
    stage: current?.stage ?? null,
    stages,
  };
}

/**
 * By stage, the jobs of the newest way through: the newest one of the first, and of each further those that
 * the end of its predecessor has made.
 */
function newestWay(jobs: readonly StageJob[]): readonly (readonly StageJob[])[] {
  // Ids are UUIDv7: in their order they were made.
  const inOrder = [...jobs].sort((a, b) => (a.id < b.id ? -1 : 1));
  // What the next stage's jobs have as their source: undefined while that is unknown, since earlier jobs are
  // deleted; null for none.
  let source: string | null | undefined;
  return VIDEO_STAGES.map((stage, index) => {
    const ofStage = inOrder.filter(({ definitionKey }) => definitionKey === stage);
    if (index === 0) {
      source = ofStage.at(-1)?.id;
      return ofStage.slice(-1);
    }
    const from = source === undefined ? ofStage.at(-1)?.sourceRef : source;
    const found = from == null ? [] : ofStage.filter(({ sourceRef }) => sourceRef === from);
    // `ocr` and `segment_index` are both enqueued at the end of `sample`.
    if (stage === 'sample' && (source !== undefined || found.length > 0)) source = found.at(-1)?.id ?? null;
    return found;
  });
}

function stageOf(stage: VideoStage, jobs: readonly StageJob[], now: Date): PipelineStage {
  const status = statusOf(jobs);
  const startedAt = earliest(jobs.map((job) => job.startedAt));
  const finishedAt =
    status === 'queued' || status === 'running' || status === 'waiting' ? null : latest(jobs);
  const percent = percentOf(jobs, status);
  return {
    stage,
    status,
    percent,
    etaSeconds: status === 'running' ? etaOf(jobs, percent, startedAt, now) : null,
    startedAt,
    finishedAt,
    jobIds: jobs.map(({ id }) => id),
  };
}

function statusOf(jobs: readonly StageJob[]): StageStatus {
  const any = (...statuses: readonly JobStatus[]) => jobs.some(({ status }) => statuses.includes(status));
  if (jobs.length === 0) return 'waiting';
  if (any('failed', 'dead_letter')) return 'failed';
  if (any('canceled')) return 'canceled';
  if (any('running')) return 'running';
  if (!any('queued')) return 'succeeded';
  // Some of its parts are done, the rest waits for a worker.
  return any('succeeded') ? 'running' : 'queued';
}

function percentOf(jobs: readonly StageJob[], status: StageStatus): number | null {
  if (status === 'waiting') return 0;
  if (status === 'succeeded') return 100;
  const parts = jobs.map((job) => {
    if (job.status === 'succeeded') return 100;
    return job.status === 'running' ? job.percent : 0;
  });
  if (jobs.length === 1) return parts[0] ?? null;
  return parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) / jobs.length;
}

function etaOf(
  jobs: readonly StageJob[],
  percent: number | null,
  startedAt: Date | null,
  now: Date,
): number | null {
  const [only] = jobs;
  if (jobs.length > 1 || only === undefined) return extrapolate(startedAt, percent, now);
  if (only.etaSeconds === null || only.progressAt === null) return null;
  // It counts down by itself from when it was said.
  return Math.max(0, only.etaSeconds - (now.getTime() - only.progressAt.getTime()) / 1000);
}

/** As fast as so far. */
function extrapolate(startedAt: Date | null, percent: number | null, now: Date): number | null {
  if (startedAt === null || percent === null || percent < 1) return null;
  const passedSeconds = (now.getTime() - startedAt.getTime()) / 1000;
  return Math.max(0, Math.round((passedSeconds * (100 - percent)) / percent));
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : new Date(Math.min(...known.map((time) => time.getTime())));
}

function latest(jobs: readonly StageJob[]): Date | null {
  const known = jobs.map(({ finishedAt }) => finishedAt).filter((time) => time !== null);
  return known.length === 0 ? null : new Date(Math.max(...known.map((time) => time.getTime())));
}
