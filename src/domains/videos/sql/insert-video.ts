import { statement } from '../../../db/statement.ts';

/** Makes a video that waits for its upload. Locks the new row. Row security checks the tenant. */
export const insertVideo = statement(
  'insert_video',
  `
insert into millrace.videos (id, tenant_id, owner_id, title, content_type, original_key, size_bytes, languages, team_id, processing)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb)`,
);
