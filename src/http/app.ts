import { randomUUID } from 'node:crypto';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  LogController,
} from 'fastify';
import { maskError } from '../graphql/mask-error.ts';
import { createEngine, GRAPHQL_PATH } from '../graphql/yoga.ts';
import { corsHeaders, PREFLIGHT_HEADERS } from './cors.ts';
import type { HttpDeps } from './deps.ts';
import { addFileRoutes } from './files.ts';
import { addGraphqlRoute } from './graphql-route.ts';
import { addHealthRoutes } from './health.ts';
import { sendProblem } from './problem.ts';
import { OpenStreams } from './send-response.ts';
import { openSockets } from './sockets.ts';

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/**
 * Makes the HTTP server: GraphQL over HTTP, SSE and WebSocket, files, health. `listen()` opens it; `close()` takes no more
 * requests, closes sockets with 1012, ends event streams, and waits for requests under way.
 */
export function createApp(deps: HttpDeps): FastifyInstance {
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    // Each request at debug: at info a busy API would log nothing else.
    logController: new LogController({ disableRequestLogging: true }),
    // A token of a signed URL is longer than the router's default.
    routerOptions: { maxParamLength: 4096 },
    forceCloseConnections: 'idle',
  });
  // Forms and plain text need no preflight, so a foreign page could send them: only JSON is taken.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (!request.url.startsWith('/files/'))
      reply.headers(corsHeaders(request.headers, deps.config.corsOrigins));
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    request.log.debug(
      {
        method,
        route: routeOptions.url,
        status: reply.statusCode,
        elapsed_ms: Math.round(reply.elapsedTime),
      },
      'http: request',
    );
  });
  app.options('*', (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send());
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500;
    const shown = status < 500 ? { message: error.message } : maskError(error, deps.log).toJSON();
    if (request.url.startsWith(GRAPHQL_PATH)) return reply.code(status).send({ errors: [shown] });
    return sendProblem(reply, status, error.code ?? 'Internal', shown.message);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, 'NotFound', 'There is nothing here.'));

  const streams = new OpenStreams();
  const engine = createEngine(deps.graphql);
  addHealthRoutes(app, deps);
  addGraphqlRoute(app, deps, engine, streams);
  addFileRoutes(app, deps);
  const sockets = openSockets(app.server, deps, engine);
  app.addHook('preClose', async () => {
    streams.endAll();
    await sockets.stop();
  });
  return app;
}
