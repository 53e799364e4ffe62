import type { WatchContext } from '../../src/client/live-watch.ts';
import { OpenWatches } from '../../src/client/open-watches.ts';
import type { Sink, Transport } from '../../src/client/transport.ts';

/** A transport whose server is the test. */
export interface ScriptedTransport {
  readonly context: WatchContext;
  /** Every subscription that was asked for, oldest first. */
  readonly asked: readonly Asked[];
}

interface Asked {
  readonly name: string;
  readonly variables: object;
  readonly sink: Sink;
  isLeft: boolean;
}

export function scriptedTransport(options: { readonly maxWaiting?: number } = {}): ScriptedTransport {
  const asked: Asked[] = [];
  const transport: Transport = {
    subscribe: (request, sink) => {
      const entry = { name: request.name, variables: request.variables(), sink, isLeft: false };
      asked.push(entry);
      return () => {
        entry.isLeft = true;
      };
    },
    close: () => undefined,
  };
  const settings = {
    httpUrl: '',
    wsUrl: '',
    tenantId: null,
    backoff: { firstMs: 0, maxMs: 0 },
    silenceMs: 1_000,
    maxWaiting: options.maxWaiting ?? 100,
    fetch,
    webSocket: undefined,
  };
  return {
    context: { transport, settings, hasFixedToken: false, open: new OpenWatches() },
    asked,
  };
}
