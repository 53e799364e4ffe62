import { statement } from '../../../db/statement.ts';

/** Stores a transcript unless there is one. Locks the new row. Index: call_transcripts_pkey. */
export const insertTranscript = statement(
  'insert_transcript',
  `
insert into millrace.call_transcripts
  (call_id, tenant_id, hash, provider, model, language, is_draft, has_text, empty_reason, word_count, turn_count, audio_ms,
   operation_count, cost_micros)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
on conflict (call_id) do nothing`,
);
