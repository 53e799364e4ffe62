import { PermanentError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import { QuotaUsedUp } from './provider.ts';

export interface EndpointRequest {
  /** Who is asked, for messages. */
  readonly provider: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  /** Never shown, wherever it turns up. */
  readonly secret: string | null;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_QUOTA_SECONDS = 60;
const MAX_QUOTA_SECONDS = 3_600;
const MAX_ANSWER_BYTES = 64 * 2 ** 20;

/**
 * Asks an endpoint that the operator has configured.
 * @returns the body of a good answer
 * @throws QuotaUsedUp for 429; PermanentError `EndpointDenied` for 401 and 403, `EndpointRefused` for other
 *   answers of 4xx; Error for whatever may pass
 */
export async function askEndpoint(request: EndpointRequest): Promise<string> {
  const { provider, url, method = 'GET', secret } = request;
  const signal = AbortSignal.any([
    request.signal,
    AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS),
  ]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers: { ...request.headers },
      ...(request.body !== undefined && { body: request.body }),
      redirect: 'error',
      signal,
    });
    text = await cappedText(response);
  } catch (error) {
    request.signal.throwIfAborted();
    const { name, cause } = error as { name?: string; cause?: { code?: string } };
    throw new Error(`${provider} did not answer: ${cause?.code ?? name ?? 'unknown'}`);
  }
  const { status } = response;
  if (response.ok) return text;
  if (status === 429) throw new QuotaUsedUp(provider, retryAfterOf(response));
  const message = `${provider} answers ${status}: ${messageOf(text, secret)}`;
  if (status === 401 || status === 403) throw new PermanentError('EndpointDenied', message);
  if (status === 408 || status === 425 || status >= 500) throw new Error(message);
  throw new PermanentError('EndpointRefused', message);
}

async function cappedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function retryAfterOf(response: Response): number {
  const given = response.headers.get('retry-after');
  const seconds = given === null ? Number.NaN : Number(given);
  const until = Number.isFinite(seconds) ? seconds : (Date.parse(given ?? '') - Date.now()) / 1000;
  if (!Number.isFinite(until)) return DEFAULT_QUOTA_SECONDS;
  return Math.min(MAX_QUOTA_SECONDS, Math.max(1, Math.ceil(until)));
}

/** What a service says of its refusal, short and without the secret. */
function messageOf(text: string, secret: string | null): string {
  let said = text;
  try {
    const json = parseJson(text) as { message?: unknown; error?: unknown };
    const error = json.error as { message?: unknown } | string | undefined;
    said = String(json.message ?? (typeof error === 'object' ? error?.message : error) ?? text);
  } catch {
    // It is no JSON: as it is.
  }
  const shown = secret === null || secret === '' ? said : said.replaceAll(secret, '•••');
  return shown.replaceAll(/\s+/g, ' ').trim().slice(0, 300) || 'no message';
}
