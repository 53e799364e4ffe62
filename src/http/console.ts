import { readFileSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';
import { BUILT_CONSOLE, hasConsole } from './console-files.ts';
import { consolePolicy } from './console-policy.ts';
import type { HttpDeps } from './deps.ts';
import { sendProblem } from './problem.ts';
import { publicPath } from './public-path.ts';

export const CONSOLE_PATH = '/console';
const YEAR = 'public, max-age=31536000, immutable';

/**
 * The console: one page for every address below `/console`, and its assets. It asks for a token itself, so
 * anybody may load it. Assets have their content's hash in their names and never change; the page, which
 * names them, is always asked for again.
 */
export function addConsoleRoutes(app: FastifyInstance, { config }: Pick<HttpDeps, 'config'>): void {
  const isForAnyPage = () => true;
  const options = { logLevel: 'warn', config: { isForAnyPage } } as const;
  if (!hasConsole()) {
    const text = 'The console has not been built here; `npm run console:build` does.';
    app.get(CONSOLE_PATH, options, (_request, reply) => sendProblem(reply, 404, 'NotFound', text));
    return;
  }
  const base = publicPath(config.publicUrl, CONSOLE_PATH);
  const page = pageUnder(readFileSync(`${BUILT_CONSOLE}index.html`, 'utf8'), base, config);
  const headers = {
    'content-security-policy': consolePolicy(config),
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
  };
  app.register(fastifyStatic, {
    root: `${BUILT_CONSOLE}assets/`,
    prefix: `${CONSOLE_PATH}/assets/`,
    decorateReply: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    logLevel: 'warn',
    setHeaders: (reply) => {
      reply.header('cache-control', YEAR);
      reply.header('x-content-type-options', 'nosniff');
    },
  });
  for (const url of [CONSOLE_PATH, `${CONSOLE_PATH}/*`])
    app.get(url, options, (_request, reply) =>
      reply.type('text/html; charset=utf-8').headers(headers).send(page),
    );
}

/** The built page with the path that it is served below, which only the running server knows. */
function pageUnder(
  html: string,
  base: string,
  { publicUrl, oidcIssuer, oidcClientId, oidcScope }: HttpDeps['config'],
): string {
  const meta = (name: string, value: string) => `<meta name="millrace-${name}" content="${escaped(value)}">`;
  return html
    .replaceAll('./assets/', `${base}/assets/`)
    .replace('<meta name="millrace-base">', () =>
      [
        meta('base', base),
        meta('graphql', publicPath(publicUrl, GRAPHQL_PATH)),
        ...(oidcIssuer === null || oidcClientId === null
          ? []
          : [
              meta('oidc-issuer', oidcIssuer),
              meta('oidc-client', oidcClientId),
              meta('oidc-scope', oidcScope),
            ]),
      ].join('\n    '),
    );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
