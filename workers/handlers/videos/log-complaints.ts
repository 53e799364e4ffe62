import type { JobLog } from '../../handler.ts';

const MAX_SHOWN = 2000;

/** Notes what ffmpeg complained about though it went on; mostly nothing. */
export function logComplaints(log: JobLog, complaints: string): void {
  if (complaints !== '') log.warn('ffmpeg complained', { complaints: complaints.slice(0, MAX_SHOWN) });
}
