import { statement } from '../../../db/statement.ts';

/** Who made tenant $1's video $2. Locks nothing. Index: videos_pkey. */
export const findVideoCreator = statement(
  'find_video_creator',
  `
select owner_id as created_by from millrace.videos where tenant_id = $1 and id = $2`,
);
