import { randomUUID } from 'node:crypto';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import { RunningMutations } from '../graphql/running-mutations.ts';
import { createEngine } from '../graphql/yoga.ts';
import { addClipsRoute } from './clips.ts';
import { addConsoleRoutes } from './console.ts';
import { corsHeaders, originsOf, PREFLIGHT_HEADERS } from './cors.ts';
import { refuseForeignPages } from './cross-site.ts';
import type { HttpDeps } from './deps.ts';
import { sendError, sendUnreadableUrl } from './errors.ts';
import { addFileRoutes, FILES_PATH } from './files.ts';
import { addGraphqlRoute } from './graphql-route.ts';
import { addHealthRoutes } from './health.ts';
import { addHookRoutes } from './hooks.ts';
import { readJsonBodies } from './json-body.ts';
import { addMetricsRoute } from './metrics.ts';
import { sendProblem } from './problem.ts';
import { ownPath } from './public-path.ts';
import { warnOfRefusedOrigins } from './refused-origins.ts';
import { bodyOf, dropRest } from './request-body.ts';
import { addRestRoutes } from './rest/mount.ts';
import { addRootRoute } from './root.ts';
import { recordRoutes } from './route-table.ts';
import { OpenStreams } from './send-response.ts';
import { openSockets } from './sockets.ts';
import { addStreamsRoute } from './streams-route.ts';
import { addTickRoute } from './tick.ts';
import { HTTP_TIMES } from './times.ts';
import { addTusRoutes, UPLOADS_PATH } from './tus.ts';

/** Signed URLs: any page may use them, and their bodies have limits of their own. */
const isSigned = (url = ''): boolean => url.startsWith(FILES_PATH) || url.startsWith(UPLOADS_PATH);

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/**
 * Makes the HTTP server: GraphQL over HTTP, SSE and WebSocket, files, health. `listen()` opens it; `close()`
 * takes no more requests, closes sockets with 1012, ends event streams, and waits for requests under way.
 */
export function createApp(deps: HttpDeps): FastifyInstance {
  const { times = HTTP_TIMES } = deps;
  const app = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    // Each request at debug: at info a busy API would log nothing else.
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl: ({ url = '/' }) => ownPath(deps.config.publicUrl, url),
    // A token of a signed URL is longer than the router's default.
    routerOptions: { maxParamLength: 4096 },
    forceCloseConnections: 'idle',
    http: { headersTimeout: times.headersMs, connectionsCheckingInterval: Math.min(5_000, times.headersMs) },
    frameworkErrors: (error, request, reply) => {
      sendUnreadableUrl(error, reply.header('x-request-id', request.id));
    },
  });
  recordRoutes(app);
  // Forms and plain text need no preflight, so a foreign page could send them: only JSON is taken.
  app.removeContentTypeParser('text/plain');
  readJsonBodies(app, deps.turns);
  const warnOfOrigin = warnOfRefusedOrigins(deps.log, originsOf(deps.config));
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (isSigned(request.url)) return;
    warnOfOrigin(request.headers);
    reply.headers(corsHeaders(request.headers, originsOf(deps.config)));
  });
  refuseForeignPages(app, deps.config, isSigned);
  app.addHook('preParsing', async (request, _reply, payload) =>
    // Uploads have a limit of their own; a body that is there already needs none.
    isSigned(request.routeOptions.url) || request.raw.complete
      ? payload
      : bodyOf(request.raw, { totalMs: times.bodyMs }),
  );
  app.addHook('onResponse', async (request, reply) => {
    dropRest(request.raw, times.lingerMs);
    const { method, routeOptions } = request;
    // An event stream lasts as long as its client likes: it would be the slowest request of all.
    if (!isEventStream(reply))
      deps.graphql.requests.httpAnswered(
        method,
        routeOptions.url,
        reply.statusCode,
        reply.elapsedTime / 1_000,
      );
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
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply, deps.log));
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, 404, 'NotFound', 'There is nothing here.'));

  const streams = new OpenStreams(times.ssePingMs, 1_000 * deps.config.slowConsumerSeconds);
  const mutations = new RunningMutations();
  const engine = createEngine(deps.graphql, mutations);
  addRootRoute(app, deps);
  addConsoleRoutes(app, deps);
  addHealthRoutes(app, deps);
  addMetricsRoute(app, deps);
  addGraphqlRoute(app, deps, engine, streams);
  addStreamsRoute(app, deps, engine, streams);
  addFileRoutes(app, deps);
  addTusRoutes(app, deps);
  addTickRoute(app, deps);
  addClipsRoute(app, deps);
  addHookRoutes(app, deps);
  addRestRoutes(app, { ...deps, engine, streams }, deps.restRoutes);
  const sockets = openSockets(app.server, deps, engine, mutations);
  app.addHook('preClose', async () => {
    // Workers that wait for jobs ask another server, or this one once it is back.
    deps.graphql.jobs.remote.close();
    await Promise.all([streams.endAll(deps.config.reconnectSpreadMs), sockets.stop()]);
  });
  return app;
}

function isEventStream({ raw }: FastifyReply): boolean {
  return String(raw.getHeader('content-type')).startsWith('text/event-stream');
}
