import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What a signed URL permits: reading one object, reading everything below a prefix (an HLS playlist and the
 * segments it names relatively), or writing one object of limited size.
 */
export type FileGrant =
  | { readonly action: 'get'; readonly key: string }
  | { readonly action: 'getPrefix'; readonly prefix: string }
  | {
      readonly action: 'put';
      readonly key: string;
      readonly maxSizeBytes: number;
      readonly contentType: string | null;
    };

/** What is asked of a token: the method in storage terms (HEAD counts as `get`) and the key in the URL. */
export interface FileRequest {
  readonly action: 'get' | 'put';
  readonly key: string;
}

export type TokenRefusal = 'malformed' | 'badSignature' | 'expired' | 'wrongAction' | 'wrongKey';

export type TokenVerdict =
  | { readonly ok: true; readonly grant: FileGrant; readonly expiresAt: Date }
  | { readonly ok: false; readonly reason: TokenRefusal };

/**
 * Longest token we make: a key of 1,024 bytes in base64url, plus the rest. Longer input is not even hashed.
 */
const MAX_TOKEN_LENGTH = 2048;
const TOKEN_PATTERN = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/** Makes the token for a grant: base64url(JSON) `.` base64url(HMAC-SHA256), fit for a path segment. */
export function encodeFileToken(grant: FileGrant, expiresAtSeconds: number, secret: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(toWire(grant, expiresAtSeconds))).toString('base64url');
  return `${body}.${mac(body, secret).toString('base64url')}`;
}

/**
 * Judges a token. The signature comes first and is compared in constant time; nothing of an unsigned body is
 * parsed.
 * @param secrets any of them may have signed (the first signs new ones; the others are being rotated out)
 * @param nowMs the time to judge expiry by, in milliseconds since 1970
 */
export function verifyFileToken(
  token: string,
  request: FileRequest,
  secrets: readonly Uint8Array[],
  nowMs: number,
): TokenVerdict {
  const match = token.length <= MAX_TOKEN_LENGTH ? TOKEN_PATTERN.exec(token) : null;
  const body = match?.[1];
  const signature = match?.[2];
  if (body === undefined || signature === undefined) return refuse('malformed');
  const given = Buffer.from(signature, 'base64url');
  if (!secrets.some((secret) => timingSafeEqual(mac(body, secret), given))) return refuse('badSignature');
  const wire = fromWire(body);
  if (wire === null) return refuse('malformed');
  if (nowMs >= wire.expiresAtSeconds * 1000) return refuse('expired');
  const { grant } = wire;
  if ((grant.action === 'put') !== (request.action === 'put')) return refuse('wrongAction');
  const covered =
    grant.action === 'getPrefix' ? request.key.startsWith(grant.prefix) : request.key === grant.key;
  return covered
    ? { ok: true, grant, expiresAt: new Date(wire.expiresAtSeconds * 1000) }
    : refuse('wrongKey');
}

function mac(body: string, secret: Uint8Array): Buffer {
  // The purpose is part of what is signed, so that no other signature made with the same secret can pass as a
  // token.
  return createHmac('sha256', secret).update(`millrace-file-token-1:${body}`).digest();
}

function refuse(reason: TokenRefusal): TokenVerdict {
  return { ok: false, reason };
}

/** One letter a field: the token is part of every URL of a playlist. */
function toWire(grant: FileGrant, expiresAtSeconds: number): unknown {
  if (grant.action === 'getPrefix') return { a: 'p', k: grant.prefix, e: expiresAtSeconds };
  if (grant.action === 'get') return { a: 'g', k: grant.key, e: expiresAtSeconds };
  return { a: 'w', k: grant.key, e: expiresAtSeconds, m: grant.maxSizeBytes, c: grant.contentType };
}

function fromWire(body: string): { grant: FileGrant; expiresAtSeconds: number } | null {
  try {
    const { a, k, e, m, c } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    if (typeof k !== 'string' || typeof e !== 'number') return null;
    if (a === 'p') return { grant: { action: 'getPrefix', prefix: k }, expiresAtSeconds: e };
    if (a === 'g') return { grant: { action: 'get', key: k }, expiresAtSeconds: e };
    if (a !== 'w' || typeof m !== 'number' || !(c === null || typeof c === 'string')) return null;
    return { grant: { action: 'put', key: k, maxSizeBytes: m, contentType: c }, expiresAtSeconds: e };
  } catch {
    return null;
  }
}
