import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { CallAnalysis as StoredAnalysis } from '../../../generated/prisma/client.ts';
import type { CallAnalysis } from '../analysis/analysis.ts';

/**
 * Analyses of calls' transcripts, in one version. Locks nothing. Indexes: call_transcripts_pkey,
 * call_analyses_pkey.
 */
export const findAnalyses = statement(
  'find_analyses',
  `
select a.call_id as "callId", a.result
from millrace.call_transcripts t
join millrace.call_analyses a on a.call_id = t.call_id and a.transcript_hash = t.hash and a.version = $3
where t.tenant_id = $1 and t.call_id = any ($2::uuid[]) and a.tenant_id = $1`,
);

export interface CallAnalysisRow extends Columns<StoredAnalysis, 'result'> {
  readonly callId: string;
  readonly result: CallAnalysis;
}
