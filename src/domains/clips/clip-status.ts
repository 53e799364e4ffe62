/** Where a clip stands. The row says `queued` until its job ends; that the job runs is read from the job. */
export const CLIP_STATUSES = ['queued', 'running', 'ready', 'failed', 'expired'] as const;
export type ClipStatus = (typeof CLIP_STATUSES)[number];

/**
 * @param stored the row's
 * @param jobStatus of the job that makes it; null where there is none
 */
export function clipStatus(stored: string, jobStatus: string | null): ClipStatus {
  return stored === 'queued' && jobStatus === 'running' ? 'running' : (stored as ClipStatus);
}
