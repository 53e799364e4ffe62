import { statement } from '../../statement.ts';

/**
 * Marks a key's request as carried out, with what came of it: $1 tenant_id, $2 credential, $3 key, $4
 * owner, $5 outcome, $6 whether it takes the place of one that is there. No row: another request has taken
 * over. Locks the row. Index: idempotency_keys_pkey
 */
export const recordIdempotentOutcome = statement(
  'record_idempotent_outcome',
  `
update millrace.idempotency_keys set
  outcome = case when is_done and not $6::boolean then outcome else $5::jsonb end,
  is_done = true
where tenant_id = $1::uuid and credential = $2 and key = $3 and owner = $4::uuid
returning owner`,
);
