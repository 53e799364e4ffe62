import { statement } from '../../statement.ts';

/** Ends an API key of a tenant that is still good. Locks the row. Index: api_keys_pkey. */
export const revokeApiKey = statement(
  'revoke_api_key',
  `update millrace.api_keys set revoked_at = now() where tenant_id = $1 and id = $2 and revoked_at is null`,
);
