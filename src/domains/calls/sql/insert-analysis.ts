import { statement } from '../../../db/statement.ts';

/**
 * Stores an analysis unless there is one of this transcript and version. Locks the new row. Index:
 * call_analyses_pkey.
 */
export const insertAnalysis = statement(
  'insert_analysis',
  `
insert into millrace.call_analyses (call_id, transcript_hash, version, tenant_id, result)
values ($1, $2, $3, $4, $5)
on conflict (call_id, transcript_hash, version) do nothing`,
);
