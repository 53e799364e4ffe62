import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode, makeServer } from 'graphql-ws';
import { DomainError } from '../core/errors.ts';
import { findInexactNumber } from '../core/exact-numbers.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { Identity } from '../identity/identity.ts';
import type { WatchedIdentity } from '../identity/identity-watch.ts';
import { unauthenticated } from '../identity/unauthenticated.ts';
import type { GraphqlDeps, RequestContext } from './context.ts';
import { credentialFrom } from './credential.ts';
import { limitError } from './limits/limit-error.ts';
import { MAX_SOCKET_OPERATIONS } from './limits/limits.ts';
import { notExact } from './limits/not-exact.ts';
import { maskError } from './mask-error.ts';
import type { PreparedOperation } from './prepare/preparer.ts';
import type { RawRequest } from './prepare/request.ts';
import type { Prepared, SocketLinkage } from './socket-linkage.ts';
import { beginSubscription, subscribeMessageOf } from './socket-subscriptions.ts';
import type { GraphqlEngine } from './yoga.ts';

const INIT_TIMEOUT_MS = 3_000;
/** Close code after which every client comes back by itself, later. */
const TRY_AGAIN_LATER = 1013;
/** An id is kept for as long as its operation is open, and goes out with each event. */
const MAX_ID_LENGTH = 255;

export interface SocketDeps {
  readonly engine: GraphqlEngine;
  readonly authenticator: Authenticator;
  readonly graphql: GraphqlDeps;
  /** Queries and mutations that one socket may have under way. */
  readonly maxQueries: number;
}

/** The graphql-transport-ws protocol over the engine; knows no `ws`. */
export interface SocketProtocol {
  /** @returns what is to be called when the socket has closed */
  opened(link: SocketLinkage): (code: number, reason: string) => Promise<void>;
  /** @param handle the protocol's own handler of messages */
  receive(link: SocketLinkage, text: string, handle: (text: string) => Promise<void>): Promise<void>;
  /**
   * Takes the bytes of a message from what its sender may ask.
   * @returns milliseconds to wait before they are asked for again; 0: they are taken, or nobody is known to
   *   take them from
   */
  takeBytes(link: SocketLinkage, bytes: number): number;
}

type Engine = Pick<ReturnType<GraphqlEngine['getEnveloped']>, 'execute'>;

/**
 * Makes the protocol. The library has the connection, queries and mutations. Subscriptions are held here: for
 * each that is open it would keep its message, its arguments and a suspended loop, which is more than all
 * that we keep of a subscriber.
 */
export function createSocketProtocol({
  engine,
  authenticator,
  graphql,
  maxQueries,
}: SocketDeps): SocketProtocol {
  const library = makeServer<Record<string, unknown>, Partial<SocketLinkage>>({
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    onConnect: async (context) => {
      const link = context.extra as SocketLinkage;
      try {
        const credential = credentialFrom(link.headers ?? {}, context.connectionParams, link.address);
        const identity = await authenticator.authenticate(credential, { takesAccessTokens: true });
        // Neither is needed any more, and ten thousand sockets would keep ten thousand tokens.
        link.headers = null;
        (context as { connectionParams?: unknown }).connectionParams = undefined;
        if (link.isClosed) return false;
        const refused = graphql.preparer.connectRefusal(identity);
        if (refused !== null) {
          void link.close(TRY_AGAIN_LATER, refused.message);
          return false;
        }
        // The client retries 4403 with fresh parameters; it takes 4401 for final.
        link.watched = watch(graphql, link, identity);
        link.context = context;
        return true;
      } catch (error) {
        // `RateLimited`: the address was refused too often, or too many credentials wait. The same ones may
        // do later.
        if (error instanceof DomainError && error.code !== 'RateLimited')
          void link.close(CloseCode.Forbidden, error.message);
        else if (error instanceof DomainError) void link.close(TRY_AGAIN_LATER, error.message);
        else void link.close(TRY_AGAIN_LATER, maskError(error, graphql.log).message);
        return false;
      }
    },
    onClose: ({ extra }) => {
      extra.isClosed = true;
      extra.watched?.unwatch();
    },
    onSubscribe: async ({ extra }, id, payload) => {
      const link = extra as SocketLinkage;
      try {
        const prepared = link.prepared ?? prepare(graphql, link, payload);
        link.prepared = null;
        if (!('text' in prepared)) return prepared;
        const runningCount = runningQueries(link);
        if (runningCount > maxQueries) return [tooMany('queries and mutations', maxQueries, runningCount)];
        return await argsFor(engine, link, id, prepared);
      } catch (error) {
        // Whatever happens here is one operation's: unhandled it would close the whole socket with 4500.
        return [error instanceof GraphQLError ? error : maskError(error, graphql.log)];
      }
    },
    execute: (args) => (args.rootValue as Engine).execute(args),
  });
  return {
    opened: (link) => library.opened(link, link),
    receive: (link, text, handle) => {
      const message = subscribeMessageOf(link, text);
      if (message === null) return handle(text);
      const prepared = messageErrors(message.id, text) ?? prepare(graphql, link, message.payload);
      if ('text' in prepared && prepared.kind === 'subscription')
        return beginSubscription(graphql, link, message.id, prepared);
      link.prepared = prepared;
      return handle(text);
    },
    takeBytes: ({ watched }, bytes) => {
      const refused = watched === null ? null : graphql.preparer.takeBytes(watched.current(), bytes);
      return refused === null ? 0 : Math.max(1, Number(refused.extensions['retryAfterMs']));
    },
  };
}

/** What is wrong with a message as such; null: nothing. */
function messageErrors(id: string, text: string): readonly GraphQLError[] | null {
  if (id.length > MAX_ID_LENGTH) return [idTooLong()];
  const inexact = findInexactNumber(text);
  // As a request by HTTP has them: the variables are below the message's payload.
  return inexact === null ? null : [notExact({ ...inexact, path: inexact.path.replace(/^payload\./, '') })];
}

function watch(graphql: GraphqlDeps, link: SocketLinkage, identity: Identity): WatchedIdentity {
  return graphql.identityWatch.watch(identity, (why) => void link.close(CloseCode.Forbidden, why.message));
}

/** Prepares what came, as over HTTP. Never throws. */
function prepare(graphql: GraphqlDeps, link: SocketLinkage, payload: RawRequest): Prepared {
  try {
    const { watched, context } = link;
    if (watched === null || context === null)
      throw new Error('An operation came before the socket was acknowledged');
    const openCount = Object.keys(context.subscriptions).length;
    if (openCount > MAX_SOCKET_OPERATIONS) throw tooMany('operations', MAX_SOCKET_OPERATIONS, openCount);
    const identity = watched.current();
    // The timer that closes the socket may be late.
    const { expiresAt } = identity.actor;
    if (expiresAt !== null && expiresAt.getTime() <= Date.now())
      throw unauthenticated('expired', 'Token has expired');
    return graphql.preparer.prepare(payload, identity);
  } catch (error) {
    return [error instanceof GraphQLError ? error : maskError(error, graphql.log)];
  }
}

async function argsFor(
  engine: GraphqlEngine,
  { requestId, watched }: SocketLinkage,
  id: string,
  { document, operationName, variables, shownCost }: PreparedOperation,
): Promise<ExecutionArgs> {
  if (watched === null) throw new Error('An operation came before the socket was acknowledged');
  const request: RequestContext = {
    identity: watched.current(),
    requestId: `${requestId}:${id}`,
    ...(shownCost !== null && { shownCost }),
  };
  const { contextFactory, execute, schema } = engine.getEnveloped(request);
  const contextValue = await contextFactory();
  const rootValue: Engine = { execute };
  return { schema, document, operationName, variableValues: variables, contextValue, rootValue };
}

function idTooLong(): GraphQLError {
  return new GraphQLError(`The id of an operation has at most ${MAX_ID_LENGTH} characters`, {
    extensions: { code: 'BAD_REQUEST', field: 'id', allowed: `at most ${MAX_ID_LENGTH} characters` },
  });
}

/**
 * Those that are being executed, with the one that has just come: the library has null for each of them in
 * its list.
 */
function runningQueries({ context }: SocketLinkage): number {
  let count = 0;
  for (const operation of Object.values(context?.subscriptions ?? {})) if (operation === null) count++;
  return count;
}

function tooMany(what: string, limit: number, actual: number): GraphQLError {
  return limitError(
    'TOO_MANY_OPERATIONS',
    `This socket has ${actual} ${what} under way at a time; allowed: ${limit}`,
    { limit, actual },
  );
}
