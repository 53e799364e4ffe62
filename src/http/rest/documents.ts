import type { FastifyInstance } from 'fastify';
import { openApiDocument, REST_BASE } from '../../rest/document/document.ts';
import type { RestRoute } from '../../rest/route.ts';

/**
 * The page runs its own scripts and asks this server; the library writes styles into elements. Nothing of
 * another host.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A reader of the page has no token yet, and it says nothing of the installation. */
const OPEN = { config: { isForAnyPage: () => true } };

/** `/openapi.json`, the document of the routes, and `/docs`, a page of it. */
export function addDocuments(scope: FastifyInstance, routes: readonly RestRoute[]): void {
  let made: object | undefined;
  // Made at the first request: most processes are never asked for it.
  const document = (): object => (made ??= openApiDocument(routes));
  scope.get('/openapi.json', OPEN, async (_request, reply) => {
    return reply.header('cache-control', 'no-cache').send(document());
  });
  const addPages = async (pages: FastifyInstance): Promise<void> => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...OPEN.config };
    });
    pages.addHook('onSend', async (_request, reply) => {
      reply.headers({
        'content-security-policy': PAGE_POLICY,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    });
    const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
      import('@fastify/swagger'),
      import('@fastify/swagger-ui'),
    ]);
    const stub = { openapi: '3.1.0', info: { title: 'Millrace', version: 'v1' }, paths: {} };
    await pages.register(swagger, { mode: 'static', specification: { document: stub as never } });
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      indexPrefix: REST_BASE,
      transformSpecification: document as never,
      transformSpecificationClone: false,
      uiConfig: { deepLinking: true, tryItOutEnabled: true },
      theme: { title: 'Millrace REST API' },
      staticCSP: false,
    });
  };
  scope.register((pages, _options, done) => void addPages(pages).then(() => done(), done));
}
