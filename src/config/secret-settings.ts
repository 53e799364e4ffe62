import type { Setting } from './settings.ts';
import { list } from './settings.ts';

const KEY_ID = /^[A-Za-z0-9_-]{1,40}$/;
const KEYS_ALLOWED = 'id:key with commas between them, each key 32 bytes in base64 (openssl rand -base64 32)';

/** A key by its name. */
export interface ConfiguredKey {
  readonly id: string;
  readonly key: Buffer;
}

function parseKeys(text: string): readonly ConfiguredKey[] {
  const keys = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const at = item.indexOf(':');
      const id = item.slice(0, at);
      const key = Buffer.from(item.slice(at + 1), 'base64');
      if (at < 1 || !KEY_ID.test(id) || key.length !== 32) throw new Error(KEYS_ALLOWED);
      return { id, key };
    });
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('ids that differ');
  return keys;
}

/** How secrets in payloads are known and kept. */
export const SECRET_SETTINGS = {
  secretKeys: list(
    'MILLRACE_SECRET_KEYS',
    'Names of payload fields that hold secrets, comma-separated, beside the usual ones (password, token, api_key …); `*` stands for any characters. See secrets.md.',
    /^[\w.*-]{1,100}$/,
    'names with commas between them, such as pin,*_code',
  ),
  encryptionKeys: {
    variable: 'MILLRACE_ENCRYPTION_KEYS',
    description:
      'Keys that encrypt the secret fields of stored payloads (AES-256-GCM), as `id:base64`, comma-separated: the first encrypts, all decrypt. The same for servers and workers. Empty: they are stored as they are.',
    defaultText: '',
    secret: true,
    parse: parseKeys,
  } satisfies Setting<readonly ConfiguredKey[]>,
} as const;
