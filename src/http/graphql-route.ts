import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../core/errors.ts';
import { MAX_MESSAGE_BYTES } from '../graphql/limits/limits.ts';
import { maskError } from '../graphql/mask-error.ts';
import { presentedBy } from '../graphql/presented.ts';
import { GRAPHQL_PATH, type GraphqlEngine } from '../graphql/yoga.ts';
import type { Identity } from '../identity/identity.ts';
import type { HttpDeps } from './deps.ts';
import { sendPage } from './page.ts';
import { type OpenStreams, sendResponse } from './send-response.ts';
import { statusOf } from './status.ts';

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
    bodyLimit: MAX_MESSAGE_BYTES,
    // Whoever is nobody gets their answer before a byte of the body is read.
    onRequest: async (request, reply) => {
      if (!isForPage(request)) await identify(deps, request, reply);
    },
    handler: async (request, reply) => {
      if (isForPage(request)) return sendPage(request, reply);
      // Asked again, mostly from the authenticator's memory: the body may have taken longer than the token is good for.
      const identity = await identify(deps, request, reply);
      if (identity === null) return reply;
      const response = await engine.handleNodeRequestAndResponse(request, reply, {
        identity,
        requestId: request.id,
      });
      return sendResponse(reply, response, streams);
    },
  });
}

function wantsPage({ method, headers, query }: FastifyRequest): boolean {
  return (
    method === 'GET' && headers.accept?.includes('text/html') === true && !('query' in (query as object))
  );
}

/** Who asks; when nobody, or the database cannot tell, the reply is sent and null returned. */
async function identify(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Identity | null> {
  try {
    return await deps.authenticator.authenticate(presentedBy(request.headers));
  } catch (error) {
    const shown = maskError(error, deps.log);
    reply.code(error instanceof DomainError ? statusOf(error.code) : 503);
    if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer');
    await reply.type('application/json; charset=utf-8').send({ errors: [shown.toJSON()] });
    return null;
  }
}
