import { statement } from '../../statement.ts';

/**
 * Keeps the answer to a key's request: $1 tenant_id, $2 credential, $3 key, $4 status, $5 headers, $6
 * body. The first answer counts: no row where there is one. What it was made of is not needed any more. Locks
 * the row. Index: idempotency_keys_pkey
 */
export const settleIdempotencyKey = statement(
  'settle_idempotency_key',
  `
update millrace.idempotency_keys set is_done = true, status = $4::smallint, headers = $5::jsonb, body = $6, outcome = null
where tenant_id = $1::uuid and credential = $2 and key = $3 and status is null
returning key`,
);
