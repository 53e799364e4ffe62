import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { CallTurn } from '../../../generated/prisma/client.ts';

/** All turns of a call, in their order. Locks nothing. Index: call_turns_pkey. */
export const findTurns = statement(
  'find_turns',
  `
select speaker, start_ms::float8 as start_ms, end_ms::float8 as end_ms, text, words, confidence::float8 as confidence
from millrace.call_turns where tenant_id = $1 and call_id = $2 order by position`,
);

export interface TurnRow extends Columns<CallTurn, 'speaker' | 'text' | 'words'> {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly words: readonly { text: string; startMs: number; endMs: number; confidence: number | null }[];
  readonly confidence: number | null;
}
