import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseJson } from '../core/parse-json.ts';

/**
 * Longest token we make: a key of 1,024 bytes, each of which JSON may escape, in base64url, plus the rest.
 * Longer input is not even hashed.
 */
const MAX_TOKEN_LENGTH = 4096;
const TOKEN_PATTERN = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

/**
 * Makes a token: base64url(JSON) `.` base64url(HMAC-SHA256), fit for a path segment.
 * @param purpose part of what is signed, so that no other signature made with the same secret can pass as
 *   this token
 */
export function signToken(purpose: string, content: unknown, secret: Uint8Array): string {
  const body = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${body}.${mac(purpose, body, secret).toString('base64url')}`;
}

export type OpenedToken =
  | { readonly ok: true; readonly content: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: 'malformed' | 'badSignature' };

/**
 * What a token says, if one of the secrets has signed it. The signature comes first and is compared in
 * constant time; nothing of an unsigned body is parsed.
 */
export function openToken(purpose: string, token: string, secrets: readonly Uint8Array[]): OpenedToken {
  const match = token.length <= MAX_TOKEN_LENGTH ? TOKEN_PATTERN.exec(token) : null;
  const body = match?.[1];
  const signature = match?.[2];
  if (body === undefined || signature === undefined) return { ok: false, reason: 'malformed' };
  const given = Buffer.from(signature, 'base64url');
  if (!secrets.some((secret) => timingSafeEqual(mac(purpose, body, secret), given)))
    return { ok: false, reason: 'badSignature' };
  try {
    const content: unknown = parseJson(Buffer.from(body, 'base64url').toString());
    if (typeof content === 'object' && content !== null)
      return { ok: true, content: content as Record<string, unknown> };
  } catch {
    // As below: signed by us, and yet nothing that we write.
  }
  return { ok: false, reason: 'malformed' };
}

function mac(purpose: string, body: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${purpose}:${body}`).digest();
}
