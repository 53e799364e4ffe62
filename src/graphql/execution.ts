import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { GraphqlContext, GraphqlDeps, RequestContext } from './context.ts';
import { EventStream } from './event-stream.ts';
import { maskError } from './mask-error.ts';
import { OperationReads } from './operation-reads.ts';

/** A context with a snapshot of its own. `identity` is given anew for each event of a stream. */
export function contextFor(deps: GraphqlDeps, { identity, requestId }: RequestContext): GraphqlContext {
  const { actor } = identity;
  return { deps, identity, requestId, actor, operation: new OperationReads(deps.reads, actor) };
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

/**
 * Subscribes. graphql-js gives every event of a stream the same context, and with it the same snapshot and loaders; here
 * each event is executed with a context of its own, as whoever the subscriber is by then. WebSocket and SSE both end here.
 * Never rejects, as `executeOperation`.
 */
export async function subscribeOperation(
  args: ExecutionArgs,
): Promise<AsyncIterableIterator<ExecutionResult, undefined> | ExecutionResult> {
  const context = args.contextValue as GraphqlContext;
  try {
    const source = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in source)) return source;
    return new EventStream(
      source[Symbol.asyncIterator](),
      context.identity,
      context.deps,
      (event, identity) =>
        executeOperation({
          ...args,
          rootValue: event,
          contextValue: contextFor(context.deps, { identity, requestId: context.requestId }),
        }),
    );
  } catch (error) {
    return { errors: [maskError(error, context.deps.log)] };
  } finally {
    await context.operation.close();
  }
}
