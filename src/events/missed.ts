import type { Database, Transaction } from '../db/database.ts';
import { sqlState } from '../db/retryable.ts';
import { limitStatementTime } from '../db/sql/feed/limit-statement-time.ts';
import { readServerState, type ServerStateRow } from '../db/sql/feed/read-server-state.ts';
import type { Missed, Trace } from './list-kind.ts';
import type { PageStart, Position } from './position.ts';
import { planResume } from './resume.ts';
import { toPosition } from './tail-reader.ts';

/** More missed changes than this are not caught up with; reading the state afresh is cheaper. */
export const MAX_MISSED = 50_000;
/**
 * Nor is a range through which the search takes longer: a quiet filter on a busy server, and a cursor of
 * yesterday.
 */
const MISSED_TIMEOUT_MS = 2_000;
const QUERY_CANCELED = '57014';

/** $2 to $7 of the statements that find what was missed, and how many rows they count at most. */
export interface MissedRange {
  readonly parameters: readonly [
    xmax: string,
    xip: string[],
    upToXmax: string | null,
    upToXip: string[] | null,
    afterId: string | null,
    pageSize: number,
  ];
  readonly maxTotal: number;
}

/**
 * One short REPEATABLE READ transaction on the primary under the tenant's row security, so that rows and
 * position agree.
 */
export function inSnapshot<R>(
  database: Database,
  tenantId: string,
  read: (tx: Transaction, now: Position) => Promise<R>,
): Promise<R> {
  const scope = { role: 'api', tenantId, readOnly: true, repeatableRead: true } as const;
  return database.transaction(scope, async (tx) => {
    const { rows } = await tx.query<ServerStateRow>(readServerState, []);
    const [row] = rows;
    if (row === undefined) throw new TypeError('read_server_state gave no row');
    return read(tx, toPosition(row));
  });
}

/**
 * What one tenant's subscriber missed since `since`, a page of at most `pageSize`. If the server was
 * restarted since the page's start was given out, the reading begins again.
 */
export async function readMissed<
  Row extends { readonly id: string; readonly total: number },
  T extends Trace,
>(
  database: Database,
  { tenantId, since, start, pageSize }: MissedQuery,
  find: (tx: Transaction, range: MissedRange) => Promise<readonly Row[]>,
  toTrace: (row: Row) => T,
): Promise<Missed<T>> {
  try {
    return await inSnapshot(database, tenantId, async (tx, now) => {
      const plan = planResume(since, now);
      if (plan.kind === 'resync') return plan;
      const page = start?.upTo.server.life === now.server.life ? start : null;
      await tx.query(limitStatementTime, [MISSED_TIMEOUT_MS]);
      const from = plan.position.snapshot;
      const rows = await find(tx, {
        parameters: [
          String(from.xmax),
          from.xip.map(String),
          page === null ? null : String(page.upTo.snapshot.xmax),
          page === null ? null : page.upTo.snapshot.xip.map(String),
          page?.afterId ?? null,
          pageSize,
        ],
        // Counted once; further pages stop where they are full.
        maxTotal: page === null ? MAX_MISSED + 1 : pageSize + 1,
      });
      const total = rows[0]?.total ?? 0;
      if (total > MAX_MISSED) return { kind: 'resync', reason: 'tooMany' };
      const upTo = page?.upTo ?? now;
      const last = rows.at(-1);
      const next = last !== undefined && total > rows.length ? { upTo, afterId: last.id } : null;
      return { kind: 'page', changes: rows.map(toTrace), upTo, next };
    });
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELED) return { kind: 'resync', reason: 'tooMany' };
    throw error;
  }
}

export interface MissedQuery {
  readonly tenantId: string;
  readonly since: Position;
  readonly start: PageStart | null;
  readonly pageSize: number;
}
