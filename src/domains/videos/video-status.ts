/**
 * Where a video stands. `awaiting_upload` until its upload is completed; `transcoded` once it can be played.
 */
export const VIDEO_STATUSES = [
  'awaiting_upload',
  'uploaded',
  'processing',
  'transcoded',
  'ready',
  'failed',
] as const;
export type VideoStatus = (typeof VIDEO_STATUSES)[number];
