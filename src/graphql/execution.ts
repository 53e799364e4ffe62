import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { LiveSource } from '../events/live-source.ts';
import type { GraphqlContext, GraphqlDeps, RequestContext } from './context.ts';
import { EventStream } from './event-stream.ts';
import { AskedTopic } from './live/asked-topic.ts';
import { onlyDeclared } from './live/group-key.ts';
import { IteratedSubscription } from './live/iterated-subscription.ts';
import type { LiveRequest } from './live/live-subscription.ts';
import { Topic } from './live/topic.ts';
import { maskError } from './mask-error.ts';
import { OperationReads } from './operation-reads.ts';

/** A context with a snapshot of its own. `identity` is given anew for each event of a stream. */
export function contextFor(deps: GraphqlDeps, request: RequestContext): GraphqlContext {
  const { actor } = request.identity;
  return { ...request, deps, actor, operation: new OperationReads(deps.reads, actor) };
}

/**
 * Executes a query or mutation; its snapshot is closed before the result is given on. Never rejects: graphql-js throws for
 * what it takes for its caller's mistake, and over the socket that would end every operation of the client.
 */
export async function executeOperation(args: ExecutionArgs): Promise<ExecutionResult> {
  const context = args.contextValue as GraphqlContext;
  try {
    return await execute(args);
  } catch (error) {
    return { errors: [maskError(error, context.deps.log)] };
  } finally {
    await context.operation.close();
  }
}

/** What a subscription becomes: a stream of its own, a request to share one, or why it may not begin. */
export type OpenedSubscription =
  | { readonly kind: 'own'; readonly stream: EventStream }
  | { readonly kind: 'shared'; readonly request: LiveRequest }
  | { readonly kind: 'refused'; readonly result: ExecutionResult };

/**
 * Opens a subscription. A field that gives a topic shares its executions among all who ask the same; any other has its own.
 * graphql-js gives every event of a stream the same context, and with it the same snapshot and loaders; here each event is
 * executed with a context of its own, as whoever the subscriber is by then. WebSocket and SSE both end here. Never rejects, as
 * `executeOperation`.
 */
export async function openSubscription(args: ExecutionArgs): Promise<OpenedSubscription> {
  const context = args.contextValue as GraphqlContext;
  const { deps, identity, requestId } = context;
  try {
    const source: unknown = await createSourceEventStream(args);
    if (source instanceof Topic) {
      const { schema, document, operationName, variableValues } = args;
      const question = onlyDeclared({ schema, document, operationName, variableValues });
      const asked = new AskedTopic(question, source as Topic<unknown, LiveSource<unknown>>, deps, {
        identity,
        requestId,
      });
      return { kind: 'shared', request: { asked, after: source.after, identity } };
    }
    if (!isIterable(source)) return { kind: 'refused', result: masked(source as ExecutionResult, context) };
    const stream = new EventStream(source[Symbol.asyncIterator](), identity, deps, async (event, asWho) => {
      const contextValue = contextFor(deps, { identity: asWho, requestId });
      return masked(await executeOperation({ ...args, rootValue: event, contextValue }), contextValue);
    });
    return { kind: 'own', stream };
  } catch (error) {
    return { kind: 'refused', result: { errors: [maskError(error, deps.log)] } };
  } finally {
    await context.operation.close();
  }
}

/** The same as something to iterate, or as the result that says why there is nothing. */
export async function subscribeOperation(
  args: ExecutionArgs,
): Promise<AsyncIterableIterator<ExecutionResult, undefined> | ExecutionResult> {
  const opened = await openSubscription(args);
  if (opened.kind === 'refused') return opened.result;
  return opened.kind === 'own' ? opened.stream : new IteratedSubscription(opened.request);
}

function isIterable(source: unknown): source is AsyncIterable<unknown> {
  return typeof source === 'object' && source !== null && Symbol.asyncIterator in source;
}

/** As clients may see it: over a socket nobody else masks the results of a stream. */
function masked(result: ExecutionResult, { deps }: GraphqlContext): ExecutionResult {
  const { errors } = result;
  return errors === undefined
    ? result
    : { ...result, errors: errors.map((error) => maskError(error, deps.log)) };
}
