import type { ApiKey } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Ends an API key of a tenant. No row when the tenant has none of that id; `is_new` is false when it had
 * ended before, which stays as it was. Locks the row. Index: api_keys_pkey.
 */
export const revokeApiKey = statement(
  'revoke_api_key',
  `
with held as (
  select id, revoked_at from millrace.api_keys where tenant_id = $1 and id = $2 for no key update
), ended as (
  update millrace.api_keys k set revoked_at = now() from held where k.id = held.id and held.revoked_at is null
  returning k.id
)
select id, exists (select from ended) as is_new from held`,
);

export interface RevokedApiKeyRow extends Columns<ApiKey, 'id'> {
  readonly is_new: boolean;
}
