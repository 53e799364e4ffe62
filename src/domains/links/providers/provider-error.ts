import { PermanentError } from '../../../core/errors.ts';
import { parseJson } from '../../../core/parse-json.ts';
import type { EndpointAnswer } from '../../../outgoing/configured-endpoint.ts';
import { retryAfterSeconds } from '../../../outgoing/retry-after.ts';

/** A service asks to wait: the job that called it looks again in so long, which spends no run. */
export class ProviderBusy extends Error {
  readonly waitSeconds: number;

  constructor(service: string, waitSeconds: number) {
    super(`${service} asks to wait for ${Math.ceil(waitSeconds)} s`);
    this.name = 'ProviderBusy';
    this.waitSeconds = waitSeconds;
  }
}

/**
 * Lets an answer of 2xx pass.
 * @param service for the message: a name, never a URL or a key
 * @throws ProviderBusy for 429, and for 503 that says how long · PermanentError `ProviderRefused` for what no
 *   retry helps (400, 401, 403, 404, 422) · Error for the rest, which is tried again
 */
export function requireSuccess(service: string, { status, headers, text }: EndpointAnswer): void {
  if (status >= 200 && status < 300) return;
  if (status === 429 || (status === 503 && headers['retry-after'] !== undefined))
    throw new ProviderBusy(service, retryAfterSeconds(headers));
  const message = `${service} answers ${status}: ${text.slice(0, 300)}`;
  if ([400, 401, 402, 403, 404, 405, 410, 413, 422].includes(status))
    throw new PermanentError('ProviderRefused', message);
  throw new Error(message);
}

/** The JSON of an answer. @throws Error, which is tried again, for one that is broken */
export function jsonOf(service: string, { text }: Pick<EndpointAnswer, 'text'>): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new Error(`${service} answers something that is no JSON: ${text.slice(0, 100)}`);
  }
}
