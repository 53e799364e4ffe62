import { statement } from '../../../db/statement.ts';

/** A video that is about to be deleted, so that nothing comes to it any more. Locks the row. Index: videos_pkey. */
export const holdVideoToDelete = statement(
  'hold_video_to_delete',
  `
select title, original_key from millrace.videos where tenant_id = $1 and id = $2 for update`,
);

export interface VideoToDeleteRow {
  readonly title: string;
  readonly original_key: string;
}
