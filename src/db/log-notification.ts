/** Ids that one notification names at most: 100 take 3,699 of the 7,999 bytes that a notification holds. */
const MAX_IDS = 100;

/**
 * Payload of a notification on the log channel: the jobs that have new lines, or nothing when they are too
 * many to name.
 */
export function logNotification(jobIds: readonly string[]): string {
  return jobIds.length > MAX_IDS ? '' : jobIds.join(',');
}

/** The jobs that a notification names; null when any job may have new lines. */
export function jobsOfLogNotification(payload: string): readonly string[] | null {
  return payload === '' ? null : payload.split(',');
}
