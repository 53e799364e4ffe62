/** Where a call stands. */
export const CALL_STATUSES = [
  'awaiting_upload',
  'queued',
  'transcribing',
  'analyzing',
  'ready',
  'failed',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];
