import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/config.ts';
import { DomainError, toError } from '../core/errors.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { bearsToken } from './metrics-access.ts';

export const METRICS_PATH = '/metrics';

export interface MetricsListener {
  /** Where it is read. */
  readonly url: string;
  close(): Promise<void>;
}

export interface MetricsListenerOptions {
  readonly config: Pick<Config, 'metricsPort' | 'metricsHost' | 'metricsToken'>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * Serves the figures of a process on a port of their own, where one is configured. Without a token it is for
 * this machine alone.
 * @returns null when no port is configured
 * @throws DomainError `ConfigInvalid` for an address that others reach without a token; what `listen` throws
 *   (EADDRINUSE)
 */
export async function openMetricsListener(options: MetricsListenerOptions): Promise<MetricsListener | null> {
  const { config, metrics, log } = options;
  const { metricsPort: port, metricsHost: host, metricsToken: token } = config;
  if (port === null) return null;
  if (token === null && !LOOPBACK.test(host)) {
    throw new DomainError(
      'ConfigInvalid',
      `MILLRACE_METRICS_HOST is ${host}, which other machines reach, and MILLRACE_METRICS_TOKEN is not set`,
      {
        field: 'MILLRACE_METRICS_TOKEN',
        allowed: 'a token of at least 16 characters, or a loopback address',
      },
    );
  }
  const server = createServer((request, response) => {
    answer(request, response, metrics, token).catch((error: unknown) => {
      log.error({ err: toError(error) }, 'metrics: could not be read');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await listen(server, port, host);
  const { port: actual, address, family } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}${METRICS_PATH}`;
  log.info({ url }, 'metrics: listening');
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: Metrics,
  token: string | null,
): Promise<void> {
  const path = request.url?.split('?')[0];
  if (path !== METRICS_PATH) return void response.writeHead(404).end();
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
  if (token !== null && !bearsToken(request.headers.authorization, token))
    return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  const text = await metrics.render();
  response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
  response.end(request.method === 'HEAD' ? undefined : text);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ port, host }, () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}
