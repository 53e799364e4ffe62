import { statement } from '../../statement.ts';

/** Keeps a new API key by its SHA-256 ($4). Locks the new row. Row security checks the tenant. */
export const insertApiKey = statement(
  'insert_api_key',
  `
insert into millrace.api_keys (tenant_id, name, role, key_hash, expires_at, created_by)
values ($1, $2, $3, $4, $5, $6)
returning id`,
);
