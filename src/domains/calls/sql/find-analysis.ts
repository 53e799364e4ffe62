import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { CallAnalysis } from '../../../generated/prisma/client.ts';

/** The analysis of a transcript in a version. Locks nothing. Index: call_analyses_pkey. */
export const findAnalysis = statement(
  'find_analysis',
  `select result from millrace.call_analyses where tenant_id = $1 and call_id = $2 and transcript_hash = $3 and version = $4`,
);

export type AnalysisRow = Columns<CallAnalysis, 'result'>;
