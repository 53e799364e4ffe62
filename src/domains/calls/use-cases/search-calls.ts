import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { isUuid } from '../../../core/ids.ts';
import { parseJson } from '../../../core/parse-json.ts';
import type { ReadTransaction } from '../../../db/prisma.ts';
import { costOfPage, sizeOf } from '../../../jobs/page.ts';
import { parseSearchQuery } from '../../../text/search-query.ts';
import { type CallHitRow, searchCallsPage } from '../sql/search-calls-page.ts';
import { refused } from './call-input.ts';

export interface SearchCallsArgs {
  readonly query: string;
  /** In this call alone. */
  readonly callId?: string | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** What somebody said that was found. */
export interface CallHit {
  readonly callId: string;
  readonly position: number;
  readonly speaker: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly score: number;
  readonly cursor: string;
}

/**
 * Searches the transcripts of the transaction's tenant, as videos are searched: words, `"phrases"`, `begin*`,
 * `-without`; a mistyped letter does not matter.
 * @throws DomainError `InvalidArgument` naming `query`, `first` or `after`
 */
export const searchCalls = defineUseCase(
  {
    name: 'searchCalls',
    role: 'member',
    scope: 'videos:read',
    toDo: 'search calls',
    cost: (args: SearchCallsArgs) => 5 * costOfPage(args),
  },
  async (
    reads: ReadTransaction,
    _caller: Caller,
    args: SearchCallsArgs,
  ): Promise<{ readonly hits: readonly CallHit[]; readonly hasNextPage: boolean }> => {
    const groups = parseSearchQuery(args.query);
    const { size } = sizeOf({ first: args.first });
    const after = args.after == null ? [null, null, null] : decode(args.after);
    if (groups.length === 0) return { hits: [], hasNextPage: false };
    const rows = await reads.query<CallHitRow>(searchCallsPage, [
      JSON.stringify(groups),
      args.callId ?? null,
      size + 1,
      ...after,
    ]);
    const hits = rows.slice(0, size).map((row) => ({
      callId: row.call_id,
      position: row.position,
      speaker: row.speaker,
      startMs: row.start_ms,
      endMs: row.end_ms,
      text: row.text,
      score: row.score,
      cursor: Buffer.from(JSON.stringify([row.score, row.call_id, row.position])).toString('base64url'),
    }));
    return { hits, hasNextPage: rows.length > size };
  },
);

function decode(cursor: string): readonly unknown[] {
  try {
    const [score, callId, position] = parseJson(
      Buffer.from(cursor.slice(0, 200), 'base64url').toString(),
    ) as unknown[];
    if (
      typeof score === 'number' &&
      typeof callId === 'string' &&
      isUuid(callId) &&
      Number.isInteger(position)
    )
      return [score, callId, position];
  } catch {
    // It is none of ours.
  }
  throw refused('after', cursor.slice(0, 40), 'a cursor of this list');
}
