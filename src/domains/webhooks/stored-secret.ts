import { createHash } from 'node:crypto';
import type { SecretBox } from '../../queue/secret-box.ts';

/** Of what the box encrypts: the one field. */
const SCHEMA = { type: 'object', properties: { secret: { type: 'string', writeOnly: true } } };

/** A secret as its row has it. */
export function sealSecret(box: SecretBox, tenantId: string, secret: string): unknown {
  return box.seal(tenantId, SCHEMA, { secret });
}

/** @throws PermanentError when the key that it was encrypted with is gone */
export function openSecret(box: SecretBox, tenantId: string, stored: unknown): string {
  return (box.open(tenantId, stored) as { readonly secret: string }).secret;
}

/** A token that is only compared is kept as its hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
