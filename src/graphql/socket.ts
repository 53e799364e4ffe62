import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import { CloseCode, makeServer, type ServerOptions } from 'graphql-ws';
import { DomainError } from '../core/errors.ts';
import type { Authenticator } from '../identity/authenticator.ts';
import type { WatchedIdentity } from '../identity/identity-watch.ts';
import type { GraphqlDeps, RequestContext } from './context.ts';
import { MAX_SOCKET_OPERATIONS } from './limits/limits.ts';
import { maskError } from './mask-error.ts';
import { presentedBy } from './presented.ts';
import type { GraphqlEngine } from './yoga.ts';

/** What the protocol needs to know of one socket. */
export interface SocketExtra {
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** Closes the socket; the reason is cut to what a frame holds. */
  readonly close: (code: number, reason: string) => void;
  /** Who the client is by now: a lowered role holds for the next operation. */
  watched?: WatchedIdentity;
  isClosed?: boolean;
}

const INIT_TIMEOUT_MS = 3_000;

export interface SocketDeps {
  readonly engine: GraphqlEngine;
  readonly authenticator: Authenticator;
  readonly graphql: GraphqlDeps;
}

/** The graphql-transport-ws protocol over the engine; knows no `ws`. */
export function createSocketProtocol({ engine, authenticator, graphql }: SocketDeps) {
  const options: ServerOptions<Record<string, unknown>, Partial<SocketExtra>> = {
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    onConnect: async (context) => {
      const extra = context.extra as SocketExtra;
      try {
        const identity = await authenticator.authenticate(
          presentedBy(extra.request.headers, context.connectionParams),
        );
        if (extra.isClosed === true) return false;
        // The client retries 4403 with fresh parameters; it takes 4401 for final.
        extra.watched = graphql.identityWatch.watch(identity, (why) =>
          extra.close(CloseCode.Forbidden, why.message),
        );
        return true;
      } catch (error) {
        if (error instanceof DomainError) extra.close(CloseCode.Forbidden, error.message);
        else extra.close(1013, maskError(error, graphql.log).message);
        return false;
      }
    },
    onClose: ({ extra }) => {
      extra.isClosed = true;
      extra.watched?.unwatch();
    },
    onSubscribe: async (context, id, payload) => {
      try {
        if (Object.keys(context.subscriptions).length > MAX_SOCKET_OPERATIONS) throw tooMany();
        return await argsFor(engine, context.extra as SocketExtra, id, payload);
      } catch (error) {
        // Whatever happens here is one operation's: unhandled it would close the whole socket with 4500.
        return [error instanceof GraphQLError ? error : maskError(error, graphql.log)];
      }
    },
    execute: (args) => (args.rootValue as Engine).execute(args),
    subscribe: (args) => (args.rootValue as Engine).subscribe(args),
  };
  return makeServer<Record<string, unknown>, Partial<SocketExtra>>(options);
}

type Engine = Pick<ReturnType<GraphqlEngine['getEnveloped']>, 'execute' | 'subscribe'>;

/** Parses and validates with the same limits as over HTTP. @returns what to execute, or the mistakes in the document */
async function argsFor(
  engine: GraphqlEngine,
  extra: SocketExtra,
  id: string,
  payload: { query: string; operationName?: unknown; variables?: unknown },
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  if (extra.watched === undefined) throw new Error('An operation came before the socket was acknowledged');
  const identity = extra.watched.current();
  const request: RequestContext = { identity, requestId: `${extra.requestId}:${id}` };
  const { schema, parse, validate, contextFactory, execute, subscribe } = engine.getEnveloped(request);
  const document = parse(payload.query);
  const mistakes = validate(schema, document);
  if (mistakes.length > 0) return mistakes;
  return {
    schema,
    document,
    operationName: payload.operationName as string | null,
    variableValues: payload.variables as Record<string, unknown> | null,
    contextValue: await contextFactory(),
    rootValue: { execute, subscribe } satisfies Engine,
  };
}

function tooMany(): GraphQLError {
  return new GraphQLError(`This socket has more than ${MAX_SOCKET_OPERATIONS} operations open`, {
    extensions: { code: 'TOO_MANY_OPERATIONS' },
  });
}
