import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLError } from 'graphql';
import { limitError } from '../graphql/limits/limit-error.ts';
import { maxMessageBytes } from '../graphql/limits/limits.ts';
import { GRAPHQL_PATH, type GraphqlEngine } from '../graphql/yoga.ts';
import { bodyBytesOf } from './body-bytes.ts';
import { setCaller } from './callers.ts';
import type { HttpDeps } from './deps.ts';
import { identify, refuse } from './identify.ts';
import { sendPage } from './page.ts';
import { sendCostLeft } from './rate-headers.ts';
import { type OpenStreams, sendResponse } from './send-response.ts';

/** GraphQL over HTTP and SSE, and the playground's page. Only the page is given without identity. */
export function addGraphqlRoute(
  app: FastifyInstance,
  deps: HttpDeps,
  engine: GraphqlEngine,
  streams: OpenStreams,
): void {
  const isForPage = (request: FastifyRequest): boolean => deps.config.playground && wantsPage(request);
  app.route({
    method: ['GET', 'POST'],
    url: GRAPHQL_PATH,
    bodyLimit: maxMessageBytes(deps.config),
    // The page is the same for everybody; what is sent from it is not.
    config: { isForAnyPage: isForPage },
    // A caller without a credential gets an answer before a byte of the body is read.
    onRequest: async (request, reply) => {
      if (isForPage(request)) return;
      const identity = await identify(deps, request, reply);
      if (identity === null) return;
      setCaller(request, identity);
      const tooMuch = deps.graphql.preparer.takeBytes(identity, bodyBytesOf(request));
      if (tooMuch === null) return;
      sendCostLeft(reply, deps.graphql.preparer.costLeft(identity));
      await refuseRate(reply, tooMuch);
    },
    handler: async (request, reply) => {
      if (isForPage(request)) return sendPage(request, reply);
      if (Array.isArray(request.body)) return refuse(reply, 400, batched(request.body.length));
      // Asked again, mostly from the authenticator's memory: the body may have taken longer than the token is
      // good for.
      const identity = await identify(deps, request, reply);
      if (identity === null) return reply;
      const response = await engine.handleNodeRequestAndResponse(request, reply, {
        identity,
        requestId: request.id,
      });
      sendCostLeft(reply, deps.graphql.preparer.costLeft(identity));
      return sendResponse(reply, response, streams);
    },
  });
}

/**
 * Whether a person's browser asks. An address with a document is the page's own, reloaded or sent to
 * somebody: it shows the document and runs nothing. Programs that ask by GET bring a token, which no browser
 * puts into the opening of an address.
 */
function wantsPage({ method, headers, query }: FastifyRequest): boolean {
  const asked = query as object;
  if (method !== 'GET' || headers.accept?.includes('text/html') !== true) return false;
  if ('documentId' in asked || 'extensions' in asked) return false;
  return !('query' in asked) || headers.authorization === undefined;
}

function refuseRate(reply: FastifyReply, error: GraphQLError): FastifyReply {
  const { retryAfterMs } = error.extensions;
  reply.header('retry-after', Math.max(1, Math.ceil(Number(retryAfterMs) / 1_000)));
  return refuse(reply, 429, error);
}

function batched(count: number): GraphQLError {
  return limitError(
    'BATCH_REFUSED',
    `A request holds one operation, not a list (here of ${count}); send several requests over one connection`,
    { limit: 1, actual: count },
  );
}
