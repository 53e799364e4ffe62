import type { ExecutionResult } from 'graphql';
import { MessageType, type SubscribeMessage, validateMessage } from 'graphql-ws';
import { parseJson } from '../core/parse-json.ts';
import type { GraphqlDeps } from './context.ts';
import { openSubscription } from './execution.ts';
import { MAX_SOCKET_OPERATIONS } from './limits/limits.ts';
import { LiveSubscription } from './live/live-subscription.ts';
import { operationTimer } from './measured-operations.ts';
import { contextFor } from './operation-context.ts';
import type { PreparedOperation } from './prepare/preparer.ts';
import type { SocketLinkage } from './socket-linkage.ts';

/**
 * What the protocol's list of open operations holds of ours: it ends them by `return`, when the client says
 * so or is gone.
 */
class OpenOperation implements AsyncIterable<never> {
  readonly #end: () => void;

  constructor(end: () => void) {
    this.#end = end;
  }

  return(): void {
    this.#end();
  }

  [Symbol.asyncIterator](): AsyncIterator<never> {
    throw new TypeError('An open operation is not iterated by the protocol');
  }
}

/**
 * The message that begins an operation, where there is nothing for the protocol's library to object to; null:
 * it is the library's, with whatever is to be said about it.
 */
export function subscribeMessageOf({ context }: SocketLinkage, text: string): SubscribeMessage | null {
  if (context === null || !context.acknowledged) return null;
  const { subscriptions } = context;
  try {
    const message = validateMessage(parseJson(text));
    if (message.type !== MessageType.Subscribe || message.id in subscriptions) return null;
    return Object.keys(subscriptions).length < MAX_SOCKET_OPERATIONS ? message : null;
  } catch {
    return null;
  }
}

/** Begins a subscription and sends what it brings. Never rejects. */
export async function beginSubscription(
  graphql: GraphqlDeps,
  link: SocketLinkage,
  id: string,
  { document, operationName, variables }: PreparedOperation,
): Promise<void> {
  const { context, watched } = link;
  if (context === null || watched === null) return;
  const { subscriptions } = context;
  // Reserved: while it is being opened the client may take it back, use the id again, or be gone. The
  // protocol then ends what it finds here, and of a socket that is gone it puts the list away: looking the id
  // up afterwards would say that it is still wanted.
  let isWanted = true;
  const reserved = new OpenOperation(() => {
    isWanted = false;
  });
  set(subscriptions, id, reserved);
  const identity = watched.current();
  const contextValue = contextFor(graphql, { identity, requestId: `${link.requestId}:${id}` });
  const args = { schema: graphql.schema, document, operationName, variableValues: variables, contextValue };
  const done = operationTimer(graphql.requests, args);
  const opened = await openSubscription(args);
  done(opened.kind === 'refused' ? opened.result : null);
  if (!isWanted) return;
  if (opened.kind === 'refused') {
    await send(link, id, opened.result);
    await complete(link, id);
  } else {
    const sink = link.openSink(id, () => {
      if (subscriptions[id] === (operation as unknown)) void complete(link, id);
    });
    const subscription = new LiveSubscription(opened.request, sink, watched);
    const operation = new OpenOperation(() => subscription.stop());
    set(subscriptions, id, operation);
    subscription.start();
  }
}

async function send(link: SocketLinkage, id: string, result: ExecutionResult): Promise<void> {
  await link.send(JSON.stringify({ id, type: MessageType.Next, payload: result }));
}

async function complete(link: SocketLinkage, id: string): Promise<void> {
  delete link.context?.subscriptions[id];
  await link.send(JSON.stringify({ id, type: MessageType.Complete }));
}

/**
 * The library types its list as what it would put there itself; it calls `return` and looks for an iterator,
 * nothing else.
 */
function set(subscriptions: Record<string, unknown>, id: string, operation: object): void {
  subscriptions[id] = operation;
}
