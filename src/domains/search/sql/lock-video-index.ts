import { statement } from '../../../db/statement.ts';

/**
 * Lets only one run index a video at a time: one that lost its lease in the middle may still be writing.
 * Keeps nobody from changing the video's row. Locks a key of the transaction.
 */
export const lockVideoIndex = statement(
  'lock_video_index',
  `select pg_advisory_xact_lock(hashtextextended('millrace.segment_index:' || $1::text, 0))`,
);
