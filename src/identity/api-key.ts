import { createHash, randomBytes } from 'node:crypto';

const API_KEY_PATTERN = /^mr_[A-Za-z0-9_-]{43}$/;

/** A new API key: `mr_` and 256 random bits. Show it once; only its hash is kept. */
export function newApiKey(): string {
  return `mr_${randomBytes(32).toString('base64url')}`;
}

/** True for text that has the form of an API key. */
export function isApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text);
}

/** SHA-256 of the whole key. No salt and no stretching: the key is random, there is nothing to guess. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
