import type { Config } from '../config/config.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * For `demo`: pages that this machine serves itself, as a frontend's development server does on a port of its
 * own, may call the API. Tokens are sent by the page and never as cookies, so a page gets no right by this; a
 * page of any other host stays refused. Only where nothing else was set, the server listens on this machine
 * alone, and it is not for production.
 */
export function withDevelopmentOrigins<C extends Pick<Config, 'corsOrigins' | 'host' | 'nodeEnv'>>(
  config: C,
): C {
  const isLocal = ['localhost', '127.0.0.1', '::1'].includes(config.host);
  if (config.corsOrigins.length > 0 || !isLocal || config.nodeEnv === 'production') return config;
  return { ...config, corsOrigins: LOOPBACK.flatMap((host) => [`http://${host}:*`, `https://${host}:*`]) };
}
