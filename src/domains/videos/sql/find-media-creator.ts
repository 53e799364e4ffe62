import { statement } from '../../../db/statement.ts';

/**
 * Who made a video ($3 `video`) or asked for a clip (`clip`) or a call (`call`) of a tenant. Locks
 * nothing. Indexes: videos_pkey, clips_pkey, calls_pkey.
 */
export const findMediaCreator = statement(
  'find_media_creator',
  `
select owner_id as created_by from millrace.videos where $3 = 'video' and tenant_id = $1 and id = $2
union all
select created_by from millrace.clips where $3 = 'clip' and tenant_id = $1 and id = $2
union all
select created_by from millrace.calls where $3 = 'call' and tenant_id = $1 and id = $2`,
);
