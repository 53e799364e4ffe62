import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { CallTranscript } from '../../../generated/prisma/client.ts';

/** The transcript of a call. Locks nothing. Index: call_transcripts_pkey. */
export const findTranscript = statement(
  'find_transcript',
  `
select hash, provider, model, language, is_draft, has_text, empty_reason, audio_ms::float8 as audio_ms,
       operation_count, cost_micros::float8 as cost_micros
from millrace.call_transcripts where tenant_id = $1 and call_id = $2`,
);

export interface TranscriptRow
  extends Columns<
    CallTranscript,
    'hash' | 'provider' | 'model' | 'language' | 'is_draft' | 'has_text' | 'empty_reason' | 'operation_count'
  > {
  readonly audio_ms: number;
  readonly cost_micros: number | null;
}
