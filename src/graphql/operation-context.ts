import type { GraphqlContext, GraphqlDeps, RequestContext } from './context.ts';
import { OperationReads } from './operation-reads.ts';

/** A context with a snapshot of its own; a subscription has a new one for each batch of events. Whoever makes it closes `operation`. */
export function contextFor(deps: GraphqlDeps, { identity, requestId }: RequestContext): GraphqlContext {
  const { actor } = identity;
  return { identity, requestId, deps, actor, operation: new OperationReads(deps.reads, actor) };
}
