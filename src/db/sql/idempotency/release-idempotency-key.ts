import { statement } from '../../statement.ts';

/**
 * Gives a key back whose request was refused and has written nothing: $1 tenant_id, $2 credential, $3 key, $4
 * owner. Locks the row. Index: idempotency_keys_pkey
 */
export const releaseIdempotencyKey = statement(
  'release_idempotency_key',
  `
delete from millrace.idempotency_keys
where tenant_id = $1::uuid and credential = $2 and key = $3 and owner = $4::uuid and not is_done`,
);
