'use client';

import { useCallback, useSyncExternalStore } from 'react';
import type { MillraceClient, View } from '../client/index.ts';
import { useMillrace } from './provider.ts';
import { sharedViews } from './shared-views.ts';

const nothing = (): void => undefined;

/** A kind of view: its name, how it is opened with what it is asked for, and what is shown before that. */
export interface ViewKind<State> {
  readonly name: string;
  readonly idle: State;
  open(client: MillraceClient, asked: string): View<State>;
}

const keyOf = ({ name }: ViewKind<never>, asked: string): string => `${name} ${asked}`;

/** Opens a view again, from its beginning, for every component that has it: for one that has ended. */
export function useReopen(kind: ViewKind<never>, asked: string | null): () => void {
  const views = sharedViews(useMillrace());
  return useCallback(() => {
    if (asked !== null) views.reopen(keyOf(kind, asked));
  }, [views, kind, asked]);
}

/**
 * The state of a view that is shared with every component that asks for the same. Rendering opens nothing, so
 * a server renders `idle`.
 * @param kind a constant
 * @param asked what the view is asked for, as text, since that is compared; null for nothing, which opens
 *   none
 */
export function useView<State>(kind: ViewKind<State>, asked: string | null): State {
  const client = useMillrace();
  const views = sharedViews(client);
  const key = asked === null ? null : keyOf(kind as ViewKind<never>, asked);
  const subscribe = useCallback(
    (listener: () => void) =>
      key === null || asked === null
        ? nothing
        : views.subscribe(key, () => kind.open(client, asked) as View<unknown>, listener),
    [client, views, kind, key, asked],
  );
  const state = (): State => (key === null ? kind.idle : ((views.state(key) ?? kind.idle) as State));
  return useSyncExternalStore(subscribe, state, () => kind.idle);
}
