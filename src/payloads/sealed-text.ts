import type { SecretBox } from './secret-box.ts';

/** The schema of what the box encrypts: one field. */
const SCHEMA = { type: 'object', properties: { secret: { type: 'string', writeOnly: true } } };

/** A text that may hold secrets, as its row has it: encrypted where the installation has a key. */
export function sealText(box: SecretBox, tenantId: string, text: string): unknown {
  return box.seal(tenantId, SCHEMA, { secret: text });
}

/** @throws PermanentError when the key that it was encrypted with is gone */
export function openText(box: SecretBox, tenantId: string, stored: unknown): string {
  return (box.open(tenantId, stored) as { readonly secret: string }).secret;
}
