'use client';

import { useMemo } from 'react';
import type { JobSummary, MillraceError, SummaryState, WatchState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { useView, type ViewKind } from './use-view.ts';

export interface UseJobSummary {
  /** Undefined before it has come. */
  readonly summary: JobSummary | undefined;
  readonly connection: WatchState;
  /** Why the connection waits, or why it has ended. */
  readonly error: MillraceError | null;
}

const SUMMARY: ViewKind<SummaryState> = {
  name: 'summary',
  idle: { summary: undefined, connection: IDLE },
  open: (client, seconds) => client.viewJobSummary(seconds === '' ? {} : { sinceSeconds: Number(seconds) }),
};

/**
 * How many jobs stand where, live.
 * @param options.sinceSeconds the window of finished jobs: 60, 300, 900, 3600 (default), 21600 or 86400
 */
export function useJobSummary({ sinceSeconds }: { readonly sinceSeconds?: number } = {}): UseJobSummary {
  const state = useView(SUMMARY, String(sinceSeconds ?? ''));
  return useMemo(() => {
    const { summary, connection } = state;
    return { summary, connection: connection.state, error: connection.error };
  }, [state]);
}
