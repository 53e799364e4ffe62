import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.ts';

/**
 * Whether a browser's page at `origin` may call the API: pages of the same host, and those on the list, where
 * `http://localhost:*` stands for all ports of a host. Yoga's own default reflects any origin.
 */
export function isAllowedOrigin(headers: IncomingHttpHeaders, allowed: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (allowed.some((entry) => isEntryOf(entry, origin))) return true;
  return URL.parse(origin)?.host === host;
}

const ANY_PORT = ':*';

function isEntryOf(entry: string, origin: string): boolean {
  const listed = entry.replace(/\/+$/, '');
  if (!listed.endsWith(ANY_PORT)) return listed === origin;
  const page = URL.parse(origin);
  // What a browser sends has neither a path nor a user; with either it is no origin.
  return (
    page !== null &&
    page.origin === origin &&
    `${page.protocol}//${page.hostname}` === listed.slice(0, -ANY_PORT.length)
  );
}

/** For people: why a page may not call, and which setting would let it. */
export function originProblem(origin: string): string {
  return `Pages of ${origin.slice(0, 200)} may not call here; allowed: pages of the same host, and the origins in MILLRACE_CORS_ORIGINS`;
}

/**
 * The origins whose pages may call: those on the list, and the installation's own address where a proxy
 * changes `Host`.
 */
export function originsOf({
  corsOrigins,
  publicUrl,
}: Pick<Config, 'corsOrigins' | 'publicUrl'>): readonly string[] {
  const own = publicUrl === null ? null : URL.parse(publicUrl);
  return own === null ? corsOrigins : [...corsOrigins, own.origin];
}

/**
 * Response headers for a request from `origin`; none for origins that are not allowed, which keeps their
 * pages out.
 */
export function corsHeaders(
  headers: IncomingHttpHeaders,
  allowed: readonly string[],
): Readonly<Record<string, string>> {
  const { origin } = headers;
  if (origin === undefined || !isAllowedOrigin(headers, allowed)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
  };
}

/**
 * Headers that a page of another origin can only send after a preflight, which such pages do not get past.
 */
export const PREFLIGHT_FORCING_HEADERS = [
  'graphql-require-preflight',
  'apollo-require-preflight',
  'x-apollo-operation-name',
  'x-graphql-yoga-csrf',
  'x-millrace-tenant',
] as const;

/**
 * What a preflight gets beside `corsHeaders`. No credentials: tokens go in a header, cookies are not used.
 */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, POST, PUT, HEAD, OPTIONS',
  'access-control-allow-headers': [
    'authorization, content-type, x-request-id, range, x-millrace-cost',
    ...PREFLIGHT_FORCING_HEADERS,
  ].join(', '),
  'access-control-max-age': '600',
};

/** For signed URLs: a holder may use it from any page, as the URL itself is the permission. */
export const FILE_CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'accept-ranges, content-length, content-range, etag, x-request-id',
};

/** What a preflight for a signed URL gets beside `FILE_CORS_HEADERS`. */
export const FILE_PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, PUT',
  'access-control-allow-headers': '*',
  'access-control-max-age': '600',
};

/** For the signed URLs of resumable uploads: what a client of tus reads of an answer. */
export const UPLOAD_CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'location, retry-after, tus-extension, tus-max-size, tus-resumable, tus-version, upload-expires, upload-length, upload-metadata, upload-offset, x-request-id',
};

/** What a preflight for such a URL gets beside `UPLOAD_CORS_HEADERS`. */
export const UPLOAD_PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'POST, HEAD, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '600',
};
