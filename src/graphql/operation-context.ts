import { callerOfOperation } from '../access/admissions.ts';
import type { GraphqlContext, GraphqlDeps, RequestContext } from './context.ts';
import { OperationReads } from './operation-reads.ts';

/**
 * A context with a snapshot of its own; a subscription has a new one for each batch of events. The code that
 * makes it closes `operation`.
 */
export function contextFor(deps: GraphqlDeps, { identity, requestId }: RequestContext): GraphqlContext {
  const actor = callerOfOperation(identity.actor);
  return { identity, requestId, deps, actor, operation: new OperationReads(deps.reads, actor) };
}

/**
 * The same for an operation that its caller asked for: what its answer has of large JSON is taken from what
 * the caller may ask.
 */
export function chargedContextFor(deps: GraphqlDeps, request: RequestContext): GraphqlContext {
  const { identity } = request;
  const charge = (bytes: number): void => deps.preparer.chargeBytes(identity, bytes);
  return {
    ...contextFor(deps, request),
    operation: new OperationReads(deps.reads, identity.actor, charge),
  };
}
