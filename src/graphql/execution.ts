import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  getOperationAST,
} from 'graphql';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import type { LiveSource } from '../events/live-source.ts';
import type { GraphqlContext } from './context.ts';
import { AskedTopic } from './live/asked-topic.ts';
import { onlyDeclared } from './live/group-key.ts';
import { IteratedSubscription } from './live/iterated-subscription.ts';
import type { LiveRequest } from './live/live-subscription.ts';
import { Topic } from './live/topic.ts';
import { maskError } from './mask-error.ts';

/**
 * Executes a query or mutation when its caller's tenant has a slot; its snapshot is closed before the result
 * is given on. Never rejects: graphql-js throws for what it takes for its caller's mistake, and over the
 * socket that would end every operation of the client.
 */
export async function executeOperation(args: ExecutionArgs): Promise<ExecutionResult> {
  const context = args.contextValue as GraphqlContext;
  try {
    const owner = context.identity.credential.tenantId ?? SYSTEM_TENANT_ID;
    const { query, mutation } = context.deps.slots;
    const slots =
      getOperationAST(args.document, args.operationName)?.operation === 'mutation' ? mutation : query;
    return await slots.run(owner, async () => execute(args));
  } catch (error) {
    return { errors: [maskError(error, context.deps.log)] };
  } finally {
    await context.operation.close();
  }
}

/** What a subscription becomes: a request to share a topic's executions, or why it may not begin. */
export type OpenedSubscription =
  | { readonly kind: 'shared'; readonly request: LiveRequest }
  | { readonly kind: 'refused'; readonly result: ExecutionResult };

/**
 * Opens a subscription: every field gives a topic, whose executions are shared among all who ask the same.
 * graphql-js would give every event of a stream the same context, and with it the same snapshot and loaders;
 * a topic's have their own, with the rights that the subscriber has by then. WebSocket and SSE both end here.
 * Never rejects, as `executeOperation`.
 */
export async function openSubscription(args: ExecutionArgs): Promise<OpenedSubscription> {
  const context = args.contextValue as GraphqlContext;
  const { deps, identity, requestId } = context;
  try {
    const source: unknown = await createSourceEventStream(args);
    if (isResult(source)) return { kind: 'refused', result: masked(source, context) };
    const { schema, document, operationName, variableValues } = args;
    const question = onlyDeclared({ schema, document, operationName, variableValues });
    const topic = topicOf(source);
    const asked = new AskedTopic(question, topic, deps, { identity, requestId });
    return { kind: 'shared', request: { asked, after: topic.after, identity } };
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
  return opened.kind === 'refused' ? opened.result : new IteratedSubscription(opened.request);
}

/** What graphql-js gives in place of a source where there is none. */
function isResult(source: unknown): source is ExecutionResult {
  return typeof source === 'object' && source !== null && !(Symbol.asyncIterator in source);
}

/**
 * @throws TypeError for a source with executions of its own: it would know neither limits nor the end of
 *   credentials
 */
function topicOf(source: unknown): Topic<unknown, LiveSource<unknown>> {
  if (source instanceof Topic) return source as Topic<unknown, LiveSource<unknown>>;
  throw new TypeError(
    'The `subscribe` of a subscription field gives a Topic (src/graphql/live/topic.ts), and nothing else',
  );
}

/** As clients may see it: over a socket nobody else masks the results of a stream. */
function masked(result: ExecutionResult, { deps }: GraphqlContext): ExecutionResult {
  const { errors } = result;
  return errors === undefined
    ? result
    : { ...result, errors: errors.map((error) => maskError(error, deps.log)) };
}
