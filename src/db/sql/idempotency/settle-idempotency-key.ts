import { statement } from '../../statement.ts';

/**
 * Marks a key's request as done, with its answer where that is known: $1 tenant_id, $2 credential, $3 key, $4 owner, $5 status, $6 headers,
 * $7 body. No row: another request has taken over. Locks the row. Index: idempotency_keys_pkey
 */
export const settleIdempotencyKey = statement(
  'settle_idempotency_key',
  `
update millrace.idempotency_keys set is_done = true, status = $5::smallint, headers = $6::jsonb, body = $7
where tenant_id = $1::uuid and credential = $2 and key = $3 and owner = $4::uuid
returning owner`,
);
