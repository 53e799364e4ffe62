import type { Caller } from '../access/caller.ts';
import type { GraphqlDeps } from '../graphql/context.ts';
import { OperationReads } from '../graphql/operation-reads.ts';
import type { Identity } from '../identity/identity.ts';

/** What routes work with: the same as GraphQL's operations. */
export type RestDeps = Pick<
  GraphqlDeps,
  'access' | 'jobs' | 'reads' | 'feed' | 'accessTokens' | 'identityWatch' | 'preparer' | 'log'
>;

/** What a route's `run` sees. The code that makes it closes `operation`. */
export interface RestContext {
  readonly deps: RestDeps;
  /** Admitted: its role, scope and rate are checked by each use-case that it calls. */
  readonly caller: Caller;
  readonly identity: Identity;
  /** One snapshot with loaders, opened at the first read. After a write: `operation.renew()`. */
  readonly operation: OperationReads;
  readonly requestId: string;
  /** Path and query as they were asked for. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
  /**
   * A subscription of GraphQL as a stream of server-sent events, to be answered as it is.
   * @param field its root field
   * @param textOf an event of it as the text of the stream
   * @throws DomainError what it is refused for
   */
  subscribe(
    query: string,
    variables: object,
    field: string,
    textOf: (value: unknown) => string,
  ): Promise<Response>;
}

/** The snapshot that a route reads, as a GraphQL operation has it. */
export function operationFor(deps: RestDeps, caller: Caller, identity: Identity): OperationReads {
  return new OperationReads(deps.reads, caller, (bytes) => deps.preparer.chargeBytes(identity, bytes));
}
