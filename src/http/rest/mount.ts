import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import type { GraphqlEngine } from '../../graphql/yoga.ts';
import type { RestContext } from '../../rest/context.ts';
import { operationFor } from '../../rest/context.ts';
import { idempotencyKeyOf, runOnce } from '../../rest/idempotency.ts';
import { answerOf, type RestRoute, usualStatus } from '../../rest/route.ts';
import { type RequestPart, validatorOf } from '../../rest/validators.ts';
import { callerOf } from '../callers.ts';
import type { HttpDeps } from '../deps.ts';
import { admitRoute, sendCallerCostLeft } from '../route-caller.ts';
import { type OpenStreams, sendResponse } from '../send-response.ts';
import { addDocuments } from './documents.ts';
import { sendNoRoute, sendRestError } from './errors.ts';
import { abortedWith } from './signal.ts';
import { subscribeWith } from './subscribe.ts';

export const REST_PATH = '/api/v1';
const MAX_BODY_BYTES = 64 * 1024;

/** What streams need beside. */
export interface RestHttpDeps extends HttpDeps {
  readonly engine: GraphqlEngine;
  readonly streams: OpenStreams;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/**
 * Mounts the REST API below `/api/v1`: each route's caller is admitted before a byte of its body is read, and
 * what its schemas do not take is refused before it is run. Its errors are problems (RFC 9457).
 */
export function addRestRoutes(app: FastifyInstance, deps: RestHttpDeps, routes: readonly RestRoute[]): void {
  app.register(
    (scope, _options, done) => {
      scope.setValidatorCompiler(({ schema, httpPart }) => {
        const check = validatorOf(partOf(httpPart), schema as never);
        return (value: unknown) => {
          const error = check(value);
          return error === null ? true : { error };
        };
      });
      scope.setErrorHandler((error, request, reply) =>
        sendRestError(error as Error, request, reply, deps.log),
      );
      scope.setNotFoundHandler((request, reply) => sendNoRoute(request, reply, methodsAt(routes, request)));
      for (const route of routes) addRoute(scope, deps, route);
      addDocuments(scope, routes);
      done();
    },
    { prefix: REST_PATH },
  );
}

function addRoute(scope: FastifyInstance, deps: RestHttpDeps, route: RestRoute): void {
  const { need } = route;
  scope.route({
    method: route.method,
    url: route.path,
    bodyLimit:
      route.maxBodyBytes === 'largest' ? deps.config.maxBodyBytes : (route.maxBodyBytes ?? MAX_BODY_BYTES),
    schema: {
      ...(route.params !== undefined && { params: route.params }),
      querystring: route.query ?? { type: 'object', properties: {}, additionalProperties: false },
      ...(route.body !== undefined && { body: route.body }),
    },
    ...(need !== null && {
      onRequest: async (request, reply) => {
        callers.set(request, await admitRoute(deps, request, reply, need));
      },
    }),
    preValidation: async (request) => {
      if (route.isBodyOptional === true) request.body ??= {};
    },
    handler: async (request, reply) => {
      try {
        return await answer(deps, route, request, reply);
      } finally {
        sendCallerCostLeft(deps, request, reply);
      }
    },
  });
}

async function answer(
  deps: RestHttpDeps,
  route: RestRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const context = contextOf(deps, request, reply);
  try {
    const { params, query, body } = request;
    const input = { params, query, body };
    const key = route.method === 'POST' && route.need !== null ? idempotencyKeyOf(context) : null;
    const given =
      key === null ? await answerOf(route, context, input) : await runOnce(context, route, key, input);
    reply.code(given.status ?? usualStatus(route)).headers(given.headers);
    if (given.body instanceof Response) return await sendResponse(reply, given.body, deps.streams);
    return given.body === undefined ? reply.send() : given.body;
  } finally {
    await context.operation?.close();
  }
}

function contextOf(deps: RestHttpDeps, request: FastifyRequest, reply: FastifyReply): RestContext {
  const caller = callers.get(request);
  const identity = callerOf(request);
  const about = {
    deps: deps.graphql,
    requestId: request.id,
    url: request.url,
    headers: request.headers,
    signal: abortedWith(reply),
  };
  // A route that asks nobody who they are has no caller, and must not use one.
  if (caller === undefined || identity === undefined) return about as unknown as RestContext;
  return {
    ...about,
    caller,
    identity,
    operation: operationFor(deps.graphql, caller, identity),
    subscribe: (query, variables, field, textOf) =>
      subscribeWith(deps.engine, identity, request.id, { query, variables, field }, textOf),
  };
}

function partOf(httpPart: string | undefined): RequestPart {
  if (httpPart === 'body' || httpPart === 'params') return httpPart;
  return 'query';
}

/** Methods that there are at the path of a request that met none. */
function methodsAt(routes: readonly RestRoute[], { url }: FastifyRequest): readonly string[] {
  const asked = (url.split('?', 1)[0] ?? '').slice(REST_PATH.length).split('/');
  const fits = (path: string): boolean => {
    const parts = path.split('/');
    return (
      parts.length === asked.length && parts.every((part, at) => part.startsWith(':') || part === asked[at])
    );
  };
  return [...new Set(routes.filter(({ path }) => fits(path)).map(({ method }) => method))];
}
