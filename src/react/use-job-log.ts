'use client';

import { useMemo } from 'react';
import type { JobLogLine, LogState, MillraceError, WatchState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { useView, type ViewKind } from './use-view.ts';

export interface UseJobLog {
  /** The last 1000, oldest first. */
  readonly lines: readonly JobLogLine[];
  /** How many came before them. */
  readonly droppedCount: number;
  readonly connection: WatchState;
  /** Why the connection waits, or why it has ended. */
  readonly error: MillraceError | null;
}

const LOG: ViewKind<LogState> = {
  name: 'log',
  idle: { lines: [], droppedCount: 0, connection: IDLE },
  open: (client, id) => client.viewJobLog(id),
};

/** A job's log, live. @param id its global id or UUID; with null there is nothing to watch yet */
export function useJobLog(id: string | null | undefined): UseJobLog {
  const state = useView(LOG, id ?? null);
  return useMemo(() => {
    const { connection, ...rest } = state;
    return { ...rest, connection: connection.state, error: connection.error };
  }, [state]);
}
