import { Agent, type Dispatcher, fetch, type Response } from 'undici';
import { checkedConnector, type Resolve, resolveBySystem } from './checked-connector.ts';
import { OutgoingError, toOutgoingError } from './outgoing-error.ts';
import { checkUrl, type OutgoingPolicy, type OutgoingSettings, policyOf } from './outgoing-policy.ts';
import { discard, readCapped } from './read-capped.ts';

/** One request. */
export interface OutgoingRequest {
  /** GET by default. Only GET and HEAD follow redirects. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For everything together, redirects and body included. Default 15,000. */
  readonly timeoutMs?: number;
  /** Limit of the body after decompression. Default 5 MiB. */
  readonly maxBytes?: number;
  /** Take the first `maxBytes` of a larger body instead of failing. */
  readonly truncate?: boolean;
  /** Fewer redirects than the setting allows. */
  readonly maxRedirects?: number;
  /**
   * Media types that are taken, `text/html` or `image/*`; all by default. An answer without a type counts as
   * one that is not listed.
   */
  readonly contentTypes?: readonly string[];
  readonly signal?: AbortSignal;
  /**
   * Called before each hop with its URL; what it throws ends the request. For robots.txt and rates per host.
   */
  readonly beforeHop?: (url: URL) => Promise<void>;
}

/** An answer, of any status. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly redirects: number;
}

/** An answer whose body is still to be read. */
export interface Opened {
  readonly response: Response;
  /** Where it comes from, after redirects. */
  readonly url: URL;
}

export interface OutgoingOptions extends OutgoingSettings {
  readonly outgoingUserAgent: string;
  readonly outgoingMaxRedirects: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const CREDENTIALS = /^(authorization|cookie|proxy-authorization)$|signature|token|secret|api-?key/i;

/**
 * Requests to addresses that tenants give. Every connection, that of each redirect too, goes to a public
 * address and an allowed port only; it keeps no cookies and takes no proxy from the environment.
 */
export class Outgoing {
  readonly policy: OutgoingPolicy;
  readonly #options: OutgoingOptions;
  readonly #dispatcher: Dispatcher;

  /** @param resolve of names; the system's by default */
  constructor(options: OutgoingOptions, resolve: Resolve = resolveBySystem) {
    this.#options = options;
    this.policy = policyOf(options);
    this.#dispatcher = new Agent({
      connect: checkedConnector(this.policy, resolve, CONNECT_TIMEOUT_MS),
      // Connections to strangers are not kept for long; a webhook that is called often finds its own again.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 10_000,
      maxHeaderSize: 32 * 1024,
    });
  }

  /**
   * Sends a request and reads its answer whole.
   * @throws OutgoingError whose `code` says why there is no answer; a status of 400 or above is an answer
   */
  async send(address: string, request: OutgoingRequest = {}): Promise<OutgoingAnswer> {
    const deadline = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
    const toKnown = errorsOf(request, deadline);
    const { response, url, redirects } = await this.#follow(address, request, signal, toKnown);
    return this.#answer(response, url, redirects, request).catch((error: unknown) => {
      throw toKnown(error, url);
    });
  }

  /**
   * Sends a request whose answer is read by the caller, who must read `response.body` to its end or cancel
   * it.
   * @param request its `timeoutMs` is for the head of the answer alone, and `maxBytes` for nothing
   * @throws OutgoingError whose `code` says why there is no answer; a status of 400 or above is an answer
   */
  async open(address: string, request: Omit<OutgoingRequest, 'maxBytes' | 'truncate'> = {}): Promise<Opened> {
    const deadline = new AbortController();
    const late = () => deadline.abort(new DOMException('Timed out', 'TimeoutError'));
    const timer = setTimeout(late, request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const signal = request.signal ? AbortSignal.any([deadline.signal, request.signal]) : deadline.signal;
    try {
      const toKnown = errorsOf(request, deadline.signal);
      const { response, url } = await this.#follow(address, request, signal, toKnown);
      await requireType(response, url, request);
      return { response, url };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends connections that are kept; a request that runs fails. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  /** The answer at the end of the redirects, its body not read yet. */
  async #follow(
    address: string,
    request: OutgoingRequest,
    signal: AbortSignal,
    toKnown: (error: unknown, url: URL) => OutgoingError,
  ): Promise<Opened & { readonly redirects: number }> {
    let url = checkUrl(address, this.policy);
    let headers = request.headers ?? {};
    for (let redirects = 0; ; redirects++) {
      await request.beforeHop?.(url);
      try {
        const response = await this.#hop(url, headers, request, signal);
        const next = this.#redirectOf(response, url, request);
        if (next === null) return { response, url, redirects };
        await discard(response);
        this.#countRedirect(redirects, request, url);
        if (next.origin !== url.origin) headers = withoutCredentials(headers);
        url = next;
      } catch (error) {
        throw toKnown(error, url);
      }
    }
  }

  #hop(url: URL, headers: Readonly<Record<string, string>>, request: OutgoingRequest, signal: AbortSignal) {
    return fetch(url, {
      method: request.method ?? 'GET',
      headers: { 'user-agent': this.#options.outgoingUserAgent, ...headers },
      body: request.body ?? null,
      redirect: 'manual',
      credentials: 'omit',
      signal,
      dispatcher: this.#dispatcher,
    });
  }

  #redirectOf(response: Response, from: URL, { method = 'GET' }: OutgoingRequest): URL | null {
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null || !/^(GET|HEAD)$/.test(method)) return null;
    const next = URL.parse(location, from);
    if (next === null)
      throw new OutgoingError('InvalidUrl', `${from.host} redirects to something that is no URL`);
    next.hash = '';
    return checkUrl(next.href, this.policy);
  }

  #countRedirect(sofar: number, request: OutgoingRequest, url: URL): void {
    const most = Math.min(
      request.maxRedirects ?? Number.POSITIVE_INFINITY,
      this.#options.outgoingMaxRedirects,
    );
    if (sofar >= most)
      throw new OutgoingError('TooManyRedirects', `${url.host} redirects again, allowed: ${most}`);
  }

  async #answer(
    response: Response,
    url: URL,
    redirects: number,
    request: OutgoingRequest,
  ): Promise<OutgoingAnswer> {
    await requireType(response, url, request);
    const read = await readCapped(
      response,
      request.maxBytes ?? DEFAULT_MAX_BYTES,
      request.truncate ?? false,
      url.host,
    );
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      ...read,
      url: url.href,
      redirects,
    };
  }
}

/** What a request's failure is in our words. */
function errorsOf(
  request: OutgoingRequest,
  deadline: AbortSignal,
): (error: unknown, url: URL) => OutgoingError {
  return (error, url) =>
    request.signal?.aborted === true
      ? new OutgoingError('Aborted', `The request to ${url.host} was aborted`, error)
      : toOutgoingError(deadline.aborted ? deadline.reason : error, url.host);
}

/** @throws OutgoingError `ContentTypeRefused` */
async function requireType(
  response: Response,
  url: URL,
  { contentTypes }: Pick<OutgoingRequest, 'contentTypes'>,
): Promise<void> {
  if (!response.ok || contentTypes === undefined) return;
  const type = mediaTypeOf(response);
  if (isListed(type, contentTypes)) return;
  await discard(response);
  const allowed = contentTypes.filter((listed) => listed !== '').join(', ');
  throw new OutgoingError(
    'ContentTypeRefused',
    `${url.host} answers ${type.slice(0, 100) || 'no type'}, allowed: ${allowed}`,
  );
}

/** Without its parameters; empty where the answer names none. */
export function mediaTypeOf(response: Response): string {
  return response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

function isListed(type: string, listed: readonly string[]): boolean {
  return listed.some((item) => (item.endsWith('/*') ? type.startsWith(item.slice(0, -1)) : item === type));
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.test(name)));
}
