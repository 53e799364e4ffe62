import { GraphQLError } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import { findInexactNumber } from '../core/exact-numbers.ts';
import type { GraphqlDeps, RequestContext } from './context.ts';
import { executeOperation, subscribeOperation } from './execution.ts';
import { httpError } from './http-errors.ts';
import { notExact } from './limits/not-exact.ts';
import { maskError } from './mask-error.ts';
import { measuredOperations } from './measured-operations.ts';
import { chargedContextFor } from './operation-context.ts';
import type { PreparedOperation, Preparer } from './prepare/preparer.ts';
import type { RunningMutations } from './running-mutations.ts';
import { COST_HEADER, shownCost } from './shown-cost.ts';

/**
 * The engine of both transports: HTTP and SSE go through its request handler, the socket through
 * `getEnveloped`.
 */
export type GraphqlEngine = YogaServerInstance<RequestContext, object>;

/** The path of everything GraphQL. */
export const GRAPHQL_PATH = '/graphql';

/** Makes the engine. What it answers without identity is decided before it is asked. */
export function createEngine(deps: GraphqlDeps, mutations: RunningMutations): GraphqlEngine {
  return createYoga<RequestContext, object>({
    schema: deps.schema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: (request: RequestContext) => chargedContextFor(deps, request),
    plugins: [
      ourPreparation(deps.preparer),
      ourExecution(),
      shownCost(deps.preparer),
      measuredOperations(deps.requests),
      mutations.plugin(),
    ],
    maskedErrors: { maskError: (error) => maskError(error, deps.log) },
    // The preparer's own serves sockets too, and is bounded by memory.
    parserAndValidationCache: false,
    // CORS, the page, health and logs are the HTTP server's, where they hold for every route.
    cors: false,
    graphiql: false,
    landingPage: false,
    healthCheckEndpoint: '/graphql/health-is-elsewhere',
    logging: false,
    multipart: false,
  });
}

function ourExecution(): Plugin {
  return {
    onExecute: ({ setExecuteFn }) => setExecuteFn(executeOperation),
    onSubscribe: ({ setSubscribeFn }) => setSubscribeFn(subscribeOperation),
  };
}

/**
 * Prepares what comes by HTTP, as `socket.ts` does what comes by a socket. Yoga then parses and validates
 * nothing any more: it is given what was prepared.
 */
function ourPreparation(preparer: Preparer): Plugin<RequestContext> {
  const prepared = new WeakMap<object, PreparedOperation>();
  return {
    onParams: ({ params, request, context, setParams }) => {
      const isGet = request.method === 'GET';
      const given = isGet ? new URL(request.url, 'http://localhost').searchParams : null;
      const inexact = findInexactNumber(given?.get('variables') ?? '', 'variables');
      if (inexact !== null) throw httpError(notExact(inexact));
      // Yoga's reader of query strings knows the four parameters of the standard.
      const documentId =
        given === null
          ? (params as { documentId?: unknown }).documentId
          : (given.get('documentId') ?? undefined);
      const asked = request.headers.get(COST_HEADER) === '1' ? { showCost: true } : {};
      const extensions = { ...(params.extensions as object | undefined), ...asked };
      const { identity } = context as RequestContext;
      const operation = preparer.prepare({ ...params, extensions, documentId }, identity);
      // Thrown, as yoga's own checks do: they come next, and would find other things wrong with what was
      // refused.
      if (!('text' in operation)) throw new AggregateError(operation.map(httpError));
      if (isGet && operation.kind === 'mutation') throw httpError(mutationByGet());
      prepared.set(context, operation);
      if (operation.shownCost !== null) Object.assign(context, { shownCost: operation.shownCost });
      const { documentId: _, ...others } = params as Record<string, unknown>;
      setParams({ ...others, query: operation.text });
    },
    onParse: ({ context, setParsedDocument }) => {
      const operation = prepared.get(context);
      if (operation !== undefined) setParsedDocument(operation.document);
    },
    onValidate: ({ context, setResult }) => {
      if (prepared.has(context)) setResult([]);
    },
  };
}

function mutationByGet(): GraphQLError {
  return new GraphQLError('A mutation is not taken by GET; allowed: POST', {
    extensions: { code: 'METHOD_NOT_ALLOWED', allowed: 'POST' },
  });
}
