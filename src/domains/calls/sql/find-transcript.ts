import { statement } from '../../../db/statement.ts';

/** The transcript of a call. Locks nothing. Index: call_transcripts_pkey. */
export const findTranscript = statement(
  'find_transcript',
  `
select hash, provider, model, language, is_draft, has_text, empty_reason, audio_ms::float8 as audio_ms,
       operation_count, cost_micros::float8 as cost_micros
from millrace.call_transcripts where tenant_id = $1 and call_id = $2`,
);

export interface TranscriptRow {
  readonly hash: string;
  readonly provider: string;
  readonly model: string | null;
  readonly language: string | null;
  readonly is_draft: boolean;
  readonly has_text: boolean;
  readonly empty_reason: string | null;
  readonly audio_ms: number;
  readonly operation_count: number;
  readonly cost_micros: number | null;
}
