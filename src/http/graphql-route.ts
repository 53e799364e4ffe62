import { gunzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../core/errors.ts';
import { graphiqlPage, PAGE_POLICY } from '../graphql/graphiql.ts';
import { MAX_MESSAGE_BYTES } from '../graphql/limits/limits.ts';
import { maskError } from '../graphql/mask-error.ts';
import { presentedBy } from '../graphql/presented.ts';
import { GRAPHQL_PATH, type GraphqlEngine } from '../graphql/yoga.ts';
import type { Identity } from '../identity/identity.ts';
import type { HttpDeps } from './deps.ts';
import { type OpenStreams, sendResponse } from './send-response.ts';

/** GraphQL over HTTP and SSE, and the playground's page. Only the page is given without identity. */
export function addGraphqlRoute(
  app: FastifyInstance,
  deps: HttpDeps,
  engine: GraphqlEngine,
  streams: OpenStreams,
): void {
  app.route({
    method: ['GET', 'POST'],
    url: GRAPHQL_PATH,
    bodyLimit: MAX_MESSAGE_BYTES,
    handler: async (request, reply) => {
      if (deps.config.playground && wantsPage(request)) {
        return sendPage(request, reply);
      }
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

async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const gzipped = await graphiqlPage();
  reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' });
  if (request.headers['accept-encoding']?.includes('gzip') !== true) return reply.send(gunzipSync(gzipped));
  return reply.header('content-encoding', 'gzip').send(gzipped);
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
    reply.code(statusOf(error));
    if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer');
    await reply.type('application/json; charset=utf-8').send({ errors: [shown.toJSON()] });
    return null;
  }
}

function statusOf(error: unknown): number {
  if (!(error instanceof DomainError)) return 503;
  if (error.code === 'Unauthenticated') return 401;
  return error.code === 'Forbidden' ? 403 : 400;
}
