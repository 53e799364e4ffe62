import { type ParseOptions, parse, type Source } from 'graphql';
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga';
import type { GraphqlDeps, RequestContext } from './context.ts';
import { contextFor, executeOperation, subscribeOperation } from './execution.ts';
import { MAX_TOKENS } from './limits/limits.ts';
import { sizeRule } from './limits/size-rule.ts';
import { steadyRootRule } from './limits/steady-root-rule.ts';
import { maskError } from './mask-error.ts';
import { schema } from './schema.ts';

/** The engine of both transports: HTTP and SSE go through its request handler, the socket through `getEnveloped`. */
export type GraphqlEngine = YogaServerInstance<RequestContext, object>;

/** The path of everything GraphQL. */
export const GRAPHQL_PATH = '/graphql';

/** Makes the engine. What it answers without identity is decided before it is asked. */
export function createEngine(deps: GraphqlDeps): GraphqlEngine {
  return createYoga<RequestContext, object>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    context: (request: RequestContext) => contextFor(deps, request),
    plugins: [ourExecution(), limits()],
    maskedErrors: { maskError: (error) => maskError(error, deps.log) },
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

function limits(): Plugin {
  return {
    onParse: ({ setParseFn }) =>
      setParseFn((source: string | Source, options?: ParseOptions) =>
        parse(source, { ...options, maxTokens: MAX_TOKENS }),
      ),
    onValidate: ({ addValidationRule }) => {
      addValidationRule(sizeRule);
      addValidationRule(steadyRootRule);
    },
  };
}
