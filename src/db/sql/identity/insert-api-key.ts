import type { ApiKey } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Keeps a new API key by its SHA-256 ($4), with its scopes ($7, none for all of its role) whether it takes
 * registered operations only ($8), and the job types that it may claim ($9, none for all). Locks the new row.
 * Row security checks the tenant.
 */
export const insertApiKey = statement(
  'insert_api_key',
  `
insert into millrace.api_keys (tenant_id, name, role, key_hash, expires_at, created_by, scopes, persisted_only, job_types)
values ($1, $2, $3, $4, $5, $6, $7::text[], $8::boolean, $9::text[])
returning id`,
);

export type InsertedApiKeyRow = Columns<ApiKey, 'id'>;
