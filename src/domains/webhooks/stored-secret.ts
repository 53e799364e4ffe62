import { createHash } from 'node:crypto';

/** A token that is only compared is kept as its hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
