import type { Database } from '../db/database.ts';
import type { FeedTable } from '../db/feed-table.ts';
import { declareTail } from '../db/sql/feed/declare-tail.ts';
import { FETCH_TAIL_ROWS, fetchTail } from '../db/sql/feed/fetch-tail.ts';
import { readServerState, type ServerStateRow } from '../db/sql/feed/read-server-state.ts';
import { readTail, type TailRow } from '../db/sql/feed/read-tail.ts';
import type { Statement } from '../db/statement.ts';
import { type Change, toChange } from './change.ts';
import type { Position } from './position.ts';
import { parseSnapshot, type Snapshot } from './snapshot.ts';

/** What happened since a snapshot, and the snapshot at which this was read. */
export interface Tail {
  readonly changes: readonly Change[];
  readonly snapshot: Snapshot;
  readonly life: string;
  readonly nowMs: number;
}

/** Where the server stands now. */
export function toPosition(row: ServerStateRow): Position {
  return {
    server: { systemId: row.system_id, timeline: row.timeline, life: row.life },
    snapshot: parseSnapshot(row.snapshot),
    takenAtMs: row.now_ms,
  };
}

/** Reads the server's position and what has changed since one, across all tenants. */
export class TailReader {
  readonly #database: Database;
  readonly #readTail: Statement;
  readonly #declareTail: Statement;

  /** @param tables of the domains whose entities are followed */
  constructor(database: Database, tables: readonly FeedTable[]) {
    this.#database = database;
    this.#readTail = readTail(tables);
    this.#declareTail = declareTail(this.#readTail);
  }

  async position(): Promise<Position> {
    const { rows } = await this.#database.asWorker<ServerStateRow>(readServerState, []);
    return toPosition(onlyRow(rows));
  }

  /** One statement; null when there are more changes than `limit`, or about as many. */
  async since(snapshot: Snapshot, limit: number): Promise<Tail | null> {
    const { rows } = await this.#database.asWorker<TailRow>(this.#readTail, [
      ...parameters(snapshot),
      limit + 1,
    ]);
    if (rows.length > limit + 1) return null;
    const server = rows.find((row) => row.kind === 'server');
    if (server === undefined) throw new TypeError('read_tail gave no row for the server');
    const { life, now_ms: nowMs } = server;
    return { changes: changesOf(rows), snapshot: parseSnapshot(server.snapshot), life, nowMs };
  }

  /**
   * The same for any number of changes, page by page, all from one snapshot: memory stays bounded.
   * @param onStart gets the position being read; false ends the reading before the first page
   */
  async pagesSince(
    snapshot: Snapshot,
    onStart: (position: Position) => boolean,
    onPage: (changes: readonly Change[]) => void,
  ): Promise<void> {
    await this.#database.transaction({ role: 'worker', readOnly: true, repeatableRead: true }, async (tx) => {
      const { rows } = await tx.query<ServerStateRow>(readServerState, []);
      if (!onStart(toPosition(onlyRow(rows)))) return;
      await tx.query(this.#declareTail, [...parameters(snapshot), null]);
      for (;;) {
        const page = await tx.query<TailRow>(fetchTail, []);
        onPage(changesOf(page.rows));
        if (page.rows.length < FETCH_TAIL_ROWS) return;
      }
    });
  }
}

function changesOf(rows: readonly TailRow[]): Change[] {
  return rows.flatMap((row) => (row.kind === 'server' ? [] : [toChange(row.kind, row)]));
}

function parameters(snapshot: Snapshot): [string, string[]] {
  return [String(snapshot.xmax), snapshot.xip.map(String)];
}

function onlyRow(rows: readonly ServerStateRow[]): ServerStateRow {
  const [row] = rows;
  if (row === undefined) throw new TypeError('read_server_state gave no row');
  return row;
}
