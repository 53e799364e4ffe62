'use client';

import {
  type Context,
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
} from 'react';
import type { MillraceClient } from '../client/index.ts';

const ClientContext: Context<MillraceClient | null> = createContext<MillraceClient | null>(null);

export interface MillraceProviderProps {
  /** Made once, outside of components. Closing it is its maker's. */
  readonly client: MillraceClient;
  readonly children?: ReactNode;
}

/** Gives the client to the hooks below it. */
export function MillraceProvider({ client, children }: MillraceProviderProps): ReactElement {
  return createElement(ClientContext.Provider, { value: client }, children);
}

/** The client of the provider above, for calls. @throws Error without a provider */
export function useMillrace(): MillraceClient {
  const client = useContext(ClientContext);
  if (client === null) throw new Error('There is no <MillraceProvider client={…}> above this component');
  return client;
}
