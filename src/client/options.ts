import type { Backoff } from './backoff.ts';
import { MillraceError } from './error.ts';
import type { TokenSource } from './token.ts';

export interface MillraceClientOptions {
  /** The server's GraphQL address: `https://jobs.example.com/graphql`; on a page `/graphql` will do. */
  readonly url: string;
  readonly token: TokenSource;
  /** How subscriptions come; `ws` by default. Calls go over HTTP. */
  readonly transport?: 'ws' | 'sse';
  /** The tenant that a super admin acts on. */
  readonly tenantId?: string;
  readonly backoff?: Partial<Backoff>;
  /**
   * A connection that is silent for so long, although the server was asked to answer, is given up.
   * Default 30000.
   */
  readonly silenceMs?: number;
  /**
   * Values that may wait for a slow reader; with more the stream is left, and gone on with once it has read
   * them. Default 10000.
   */
  readonly maxWaiting?: number;
  /** In place of the global ones. */
  readonly fetch?: typeof fetch;
  readonly webSocket?: unknown;
}

export interface ClientSettings {
  readonly httpUrl: string;
  readonly wsUrl: string;
  readonly tenantId: string | null;
  readonly backoff: Backoff;
  readonly silenceMs: number;
  readonly maxWaiting: number;
  readonly fetch: typeof fetch;
  readonly webSocket: unknown;
}

/** @throws MillraceError `INVALID_ARGUMENT` for an address that is none */
export function settingsOf(options: MillraceClientOptions): ClientSettings {
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  const address = URL.canParse(options.url, page) ? new URL(options.url, page) : null;
  if (address === null || !/^(https?|wss?):$/.test(address.protocol)) {
    throw new MillraceError('INVALID_ARGUMENT', `url is ${JSON.stringify(options.url)}`, {
      field: 'url',
      allowed: 'an http, https, ws or wss address',
    });
  }
  return {
    httpUrl: address.href.replace(/^ws/, 'http'),
    wsUrl: address.href.replace(/^http/, 'ws'),
    tenantId: options.tenantId ?? null,
    backoff: { firstMs: 1_000, maxMs: 30_000, ...options.backoff },
    silenceMs: options.silenceMs ?? 30_000,
    maxWaiting: options.maxWaiting ?? 10_000,
    // Called without its object a browser's own refuses.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    webSocket: options.webSocket,
  };
}
