import { openToken, signToken } from './signed-token.ts';

/**
 * What a signed URL permits: reading one object, reading everything below a prefix (an HLS playlist and the
 * segments it names relatively), reading of an HLS playlist what shows a part of the video, reading the texts
 * of a video as a track for players, or writing one object of limited size.
 */
export type FileGrant =
  | {
      readonly action: 'get';
      readonly key: string;
      /** Under which name a browser saves it; null for the key's own. */
      readonly fileName: string | null;
    }
  | { readonly action: 'getPrefix'; readonly prefix: string }
  | PartGrant
  | TextTrackGrant
  | {
      readonly action: 'put';
      readonly key: string;
      readonly maxSizeBytes: number;
      readonly contentType: string | null;
    };

export interface PartGrant {
  readonly action: 'getPart';
  /** The key of the playlist. */
  readonly key: string;
  /** From the start of the video. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface TextTrackGrant {
  readonly action: 'getTextTrack';
  /** Made by `textTrackKey`: no object of the store has it. */
  readonly key: string;
  readonly tenantId: string;
}

/** What is asked of a token: the method in storage terms (HEAD counts as `get`) and the key in the URL. */
export interface FileRequest {
  readonly action: 'get' | 'put';
  readonly key: string;
}

export type TokenRefusal = 'malformed' | 'badSignature' | 'expired' | 'wrongAction' | 'wrongKey';

export type TokenVerdict =
  | { readonly ok: true; readonly grant: FileGrant; readonly expiresAt: Date }
  | { readonly ok: false; readonly reason: TokenRefusal };

const PURPOSE = 'millrace-file-token-1';

/** Makes the token for a grant, fit for a path segment. */
export function encodeFileToken(grant: FileGrant, expiresAtSeconds: number, secret: Uint8Array): string {
  return signToken(PURPOSE, toWire(grant, expiresAtSeconds), secret);
}

/**
 * Judges a token.
 * @param secrets any of them may have signed (the first signs new ones; the others are being rotated out)
 * @param nowMs the time to judge expiry by, in milliseconds since 1970
 */
export function verifyFileToken(
  token: string,
  request: FileRequest,
  secrets: readonly Uint8Array[],
  nowMs: number,
): TokenVerdict {
  const opened = openToken(PURPOSE, token, secrets);
  if (!opened.ok) return refuse(opened.reason);
  const wire = fromWire(opened.content);
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

function refuse(reason: TokenRefusal): TokenVerdict {
  return { ok: false, reason };
}

/** One letter a field: the token is part of every URL of a playlist. */
function toWire(grant: FileGrant, expiresAtSeconds: number): unknown {
  if (grant.action === 'getPrefix') return { a: 'p', k: grant.prefix, e: expiresAtSeconds };
  if (grant.action === 'get')
    return {
      a: 'g',
      k: grant.key,
      e: expiresAtSeconds,
      ...(grant.fileName !== null && { n: grant.fileName }),
    };
  if (grant.action === 'getPart')
    return { a: 'c', k: grant.key, e: expiresAtSeconds, f: grant.startMs, t: grant.endMs };
  if (grant.action === 'getTextTrack')
    return { a: 't', k: grant.key, e: expiresAtSeconds, o: grant.tenantId };
  return { a: 'w', k: grant.key, e: expiresAtSeconds, m: grant.maxSizeBytes, c: grant.contentType };
}

function fromWire({
  a,
  k,
  e,
  m,
  c,
  f,
  t,
  o,
  n = null,
}: Readonly<Record<string, unknown>>): { grant: FileGrant; expiresAtSeconds: number } | null {
  if (typeof k !== 'string' || typeof e !== 'number') return null;
  if (a === 'p') return { grant: { action: 'getPrefix', prefix: k }, expiresAtSeconds: e };
  if (a === 'g') {
    if (!(n === null || typeof n === 'string')) return null;
    return { grant: { action: 'get', key: k, fileName: n }, expiresAtSeconds: e };
  }
  if (a === 'c') {
    if (typeof f !== 'number' || typeof t !== 'number') return null;
    return { grant: { action: 'getPart', key: k, startMs: f, endMs: t }, expiresAtSeconds: e };
  }
  if (a === 't') {
    if (typeof o !== 'string') return null;
    return { grant: { action: 'getTextTrack', key: k, tenantId: o }, expiresAtSeconds: e };
  }
  if (a !== 'w' || typeof m !== 'number' || !(c === null || typeof c === 'string')) return null;
  return { grant: { action: 'put', key: k, maxSizeBytes: m, contentType: c }, expiresAtSeconds: e };
}
