import type { Transaction } from '../../../db/database.ts';
import { MisreadRanges, type TextRange } from '../segments/misread-ranges.ts';
import { MIN_MISREAD_LENGTH } from '../segments/misreading.ts';
import { findRanges, type RangeRow } from '../sql/find-ranges.ts';
import { joinRanges } from '../sql/join-ranges.ts';
import { pagesByTime } from './pages-by-time.ts';

const PAGE_SIZE = 5_000;

/**
 * Goes once through a video's ranges in the order of time, and joins those that a misread letter has split.
 * @returns how many rows it took away
 */
export async function joinMisreadRanges(
  tx: Transaction,
  { tenantId, videoId }: { readonly tenantId: string; readonly videoId: string },
  { toleranceMs, signal }: { readonly toleranceMs: number; readonly signal: AbortSignal },
): Promise<number> {
  const ranges = new MisreadRanges(toleranceMs);
  const pages = pagesByTime(PAGE_SIZE, signal, (after) =>
    tx.query<RangeRow>(findRanges, [
      tenantId,
      videoId,
      after.t_start,
      after.id,
      MIN_MISREAD_LENGTH,
      PAGE_SIZE,
    ]),
  );
  for await (const rows of pages) for (const row of rows) ranges.add(rangeOf(row));
  // Not before all have been seen: a range that has gone on once may do so again, and its row is changed but
  // once.
  const { joined, misreadIds } = ranges.take();
  if (misreadIds.length === 0) return 0;
  const { rowCount } = await tx.query(joinRanges, [
    tenantId,
    videoId,
    joined.map(([keptId]) => keptId),
    joined.map(([, otherId]) => otherId),
    misreadIds,
  ]);
  return rowCount ?? 0;
}

function rangeOf(row: RangeRow): TextRange {
  return {
    id: row.id,
    textHash: row.text_hash,
    normalizedText: row.normalized_text,
    tStartMs: row.t_start,
    tEndMs: row.t_end,
    confidence: row.confidence,
    box: { x: row.x, y: row.y, width: row.width, height: row.height },
  };
}
