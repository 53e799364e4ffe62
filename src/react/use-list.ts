'use client';

import { useMemo } from 'react';
import type { ListState } from '../client/index.ts';
import type { HookConnection } from './use-node.ts';
import { useReopen, useView, type ViewKind } from './use-view.ts';

/** A list with how its connection stands. */
export type UseList<State extends ListState> = Omit<State, 'connection'> & HookConnection;

/** A live list. The filter may be written in place: it is compared by what is in it. */
export function useList<State extends ListState>(kind: ViewKind<State>, filter: object): UseList<State> {
  const asked = JSON.stringify(filter);
  const state = useView(kind, asked);
  const reopen = useReopen(kind as ViewKind<never>, asked);
  return useMemo(() => {
    const { connection, ...rest } = state;
    return { ...rest, connection: connection.state, error: connection.error, reopen };
  }, [state, reopen]);
}
