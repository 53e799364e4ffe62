import { statement } from '../../../db/statement.ts';

/** Who asked for tenant $1's clip $2. Locks nothing. Index: clips_pkey. */
export const findClipCreator = statement(
  'find_clip_creator',
  `
select created_by from millrace.clips where tenant_id = $1 and id = $2`,
);
