import { statement } from '../../statement.ts';

/**
 * The key whose SHA-256 is $1. Crosses tenants: it runs before any tenant is known, and answers only to the
 * holder of the key. Locks nothing. Index: api_keys_key_hash_key.
 */
export const findApiKey = statement(
  'find_api_key',
  `select id, tenant_id, role, scopes, persisted_only, expires_at from millrace.find_api_key($1::bytea)`,
);

export interface ApiKeyRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly persisted_only: boolean;
  readonly expires_at: Date | null;
}
