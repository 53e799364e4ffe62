import { statement } from '../../../db/statement.ts';

/** Makes a call. Locks the new row. Row security checks the tenant. */
export const insertCall = statement(
  'insert_call',
  `
insert into millrace.calls
  (id, tenant_id, title, status, speakers, language, metadata, recording_key, source_url, content_type, size_bytes, keep_recording, created_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
);
