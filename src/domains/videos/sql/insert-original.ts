import { statement } from '../../../db/statement.ts';

/**
 * Makes a video of an original that is there already; no row when there is one of that id, of any tenant.
 * Locks the new row. Row security checks the tenant.
 */
export const insertOriginal = statement(
  'insert_original',
  `
insert into millrace.videos (id, tenant_id, owner_id, title, content_type, original_key, size_bytes, languages, team_id, processing, status)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, 'uploaded')
on conflict (id) do nothing
returning id`,
);
