import { statement } from '../../../db/statement.ts';

/** All turns of a call, in their order. Locks nothing. Index: call_turns_pkey. */
export const findTurns = statement(
  'find_turns',
  `
select speaker, start_ms::float8 as start_ms, end_ms::float8 as end_ms, text, words, confidence::float8 as confidence
from millrace.call_turns where tenant_id = $1 and call_id = $2 order by position`,
);

export interface TurnRow {
  readonly speaker: number;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text: string;
  readonly words: readonly { text: string; startMs: number; endMs: number; confidence: number | null }[];
  readonly confidence: number | null;
}
