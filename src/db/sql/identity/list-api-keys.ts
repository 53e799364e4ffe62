import type { ApiKey } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/** The API keys of a tenant, newest first; never their hashes. Locks nothing. Index: api_keys_tenant_idx. */
export const listApiKeys = statement(
  'list_api_keys',
  `
select id, name, role, expires_at, revoked_at from millrace.api_keys
where tenant_id = $1 order by id desc limit 1000`,
);

export type ApiKeyListRow = Columns<ApiKey, 'id' | 'name' | 'role' | 'expires_at' | 'revoked_at'>;
