import { createHash, timingSafeEqual } from 'node:crypto';

/** True when an `Authorization` header carries the token. Takes as long for a near miss as for any other. */
export function bearsToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
