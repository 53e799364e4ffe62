import type { StageStatus } from '../../../core/pipelines/stage-status.ts';

const BY_JOB: Readonly<Record<string, StageStatus>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  dead_letter: 'failed',
  canceled: 'canceled',
};

/**
 * Where a stage of a call stands. One that the call did not need, as a silent one needs no transcription, has
 * succeeded with it.
 * @param jobStatus of the newest job that runs it; null where there is none
 */
export function stageStatus(jobStatus: string | null, callStatus: string): StageStatus {
  if (jobStatus === null) return callStatus === 'ready' ? 'succeeded' : 'waiting';
  return BY_JOB[jobStatus] ?? 'waiting';
}
