import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { PermanentError } from '../core/errors.ts';
import { parseJson } from '../core/parse-json.ts';
import { hasSecretFields, mapSecretFields } from '../core/redaction/secret-fields.ts';

const MARK = '$encrypted';
const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A key of AES-256 and the name by which what it has encrypted is known. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/**
 * Encrypts the secret fields of payloads (AES-256-GCM) for as long as they lie in the database. The first key
 * encrypts; the others decrypt what was written before a rotation.
 */
export class SecretBox {
  readonly #keys: readonly EncryptionKey[];

  constructor(keys: readonly EncryptionKey[]) {
    this.#keys = keys;
  }

  /** Whether there is a key to encrypt with. */
  get isActive(): boolean {
    return this.#keys.length > 0;
  }

  /** A payload as it is stored: as given where there is no key, or its schema marks nothing. */
  seal(tenantId: string, schema: unknown, payload: unknown): unknown {
    const [key] = this.#keys;
    if (key === undefined || !hasSecretFields(schema)) return payload;
    return mapSecretFields(schema, payload, (value, by) =>
      by === 'schema' && !isSealed(value) ? { [MARK]: encrypt(key, tenantId, JSON.stringify(value)) } : value,
    );
  }

  /**
   * A stored payload as its handler gets it.
   * @throws PermanentError `SecretUnreadable` when no key of this process opens it
   */
  open(tenantId: string, payload: unknown): unknown {
    if (typeof payload !== 'object' || payload === null || !mayBeSealed(payload)) return payload;
    return this.#open(tenantId, payload);
  }

  #open(tenantId: string, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (isSealed(value)) return parseJson(this.#decrypt(tenantId, value[MARK])) as unknown;
    if (Array.isArray(value)) return value.map((item) => this.#open(tenantId, item));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.#open(tenantId, item)]),
    );
  }

  #decrypt(tenantId: string, sealed: string): string {
    const [version, keyId, text = ''] = sealed.split('.');
    const found = this.#keys.find(({ id }) => id === keyId);
    if (version !== VERSION || found === undefined)
      throw new PermanentError(
        'SecretUnreadable',
        `A secret field was encrypted with key ${String(keyId).slice(0, 40)}, which MILLRACE_ENCRYPTION_KEYS does not have here`,
      );
    const bytes = Buffer.from(text, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(0, IV_BYTES));
    decipher.setAAD(Buffer.from(tenantId));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    } catch {
      throw new PermanentError(
        'SecretUnreadable',
        `A secret field that key ${found.id} has encrypted was changed since`,
      );
    }
  }
}

/** The tenant is bound in: what one tenant's row holds opens in no other's. */
function encrypt({ id, key }: EncryptionKey, tenantId: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(tenantId));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${VERSION}.${id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

function isSealed(value: unknown): value is Readonly<Record<typeof MARK, string>> {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  return (
    names.length === 1 && names[0] === MARK && typeof (value as Record<string, unknown>)[MARK] === 'string'
  );
}

/** Without writing the payload out: most have no field that is an object at all. */
function mayBeSealed(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > 100) return false;
  return isSealed(value) || Object.values(value).some((item) => mayBeSealed(item, depth + 1));
}
