import { openToken, signToken } from './signed-token.ts';

/**
 * What a URL of resumable uploads permits: to begin one for an object, or to go on with one that was begun.
 */
export type UploadGrant =
  | {
      readonly action: 'begin';
      readonly key: string;
      readonly maxSizeBytes: number;
      readonly contentType: string | null;
    }
  | { readonly action: 'resume'; readonly uploadId: string };

export type UploadRefusal = 'malformed' | 'badSignature' | 'expired' | 'wrongAction';

export type UploadVerdict<A extends UploadGrant['action']> =
  | { readonly ok: true; readonly grant: Extract<UploadGrant, { readonly action: A }> }
  | { readonly ok: false; readonly reason: UploadRefusal };

const PURPOSE = 'millrace-upload-token-1';

export function encodeUploadToken(grant: UploadGrant, expiresAtSeconds: number, secret: Uint8Array): string {
  const wire =
    grant.action === 'begin'
      ? { a: 'b', k: grant.key, m: grant.maxSizeBytes, c: grant.contentType, e: expiresAtSeconds }
      : { a: 'r', i: grant.uploadId, e: expiresAtSeconds };
  return signToken(PURPOSE, wire, secret);
}

/**
 * Judges a token.
 * @param secrets any of them may have signed
 * @param nowMs the time to judge expiry by, in milliseconds since 1970
 */
export function verifyUploadToken<A extends UploadGrant['action']>(
  token: string,
  action: A,
  secrets: readonly Uint8Array[],
  nowMs: number,
): UploadVerdict<A> {
  const opened = openToken(PURPOSE, token, secrets);
  if (!opened.ok) return opened;
  const { e } = opened.content;
  const grant = fromWire(opened.content);
  if (grant === null || typeof e !== 'number') return { ok: false, reason: 'malformed' };
  if (nowMs >= e * 1000) return { ok: false, reason: 'expired' };
  if (grant.action !== action) return { ok: false, reason: 'wrongAction' };
  return { ok: true, grant: grant as Extract<UploadGrant, { readonly action: A }> };
}

function fromWire({ a, k, m, c, i }: Readonly<Record<string, unknown>>): UploadGrant | null {
  if (a === 'r') return typeof i === 'string' ? { action: 'resume', uploadId: i } : null;
  if (a !== 'b' || typeof k !== 'string' || typeof m !== 'number') return null;
  if (!(c === null || typeof c === 'string')) return null;
  return { action: 'begin', key: k, maxSizeBytes: m, contentType: c };
}
