import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '../telemetry/log.ts';
import { isAllowedOrigin, originProblem } from './cors.ts';

/** Strangers may send any origin: more of them say nothing new. */
const MOST_ORIGINS = 20;

/**
 * Warns of pages that are refused for their origin, once for each: a browser shows its developer neither our
 * answer nor the name of the setting, only that there was none.
 * @returns to be called with the headers of each request
 */
export function warnOfRefusedOrigins(
  log: Pick<Logger, 'warn'>,
  allowed: readonly string[],
): (headers: IncomingHttpHeaders) => void {
  const warned = new Set<string>();
  return (headers) => {
    const { origin } = headers;
    if (origin === undefined || warned.size >= MOST_ORIGINS || warned.has(origin)) return;
    // A proxy may have changed the host; the browser knows better.
    if (headers['sec-fetch-site'] === 'same-origin' || isAllowedOrigin(headers, allowed)) return;
    warned.add(origin);
    log.warn({ origin: origin.slice(0, 200) }, `http: ${originProblem(origin)}`);
  };
}
