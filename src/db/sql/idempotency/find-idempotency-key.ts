import type { IdempotencyKey } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * What is known of a key: $1 tenant_id, $2 credential, $3 key. Locks nothing. Index: idempotency_keys_pkey.
 */
export const findIdempotencyKey = statement(
  'find_idempotency_key',
  `
select fingerprint, is_done, status, headers, body, outcome from millrace.idempotency_keys
where tenant_id = $1::uuid and credential = $2 and key = $3`,
);

export interface IdempotencyKeyRow
  extends Columns<IdempotencyKey, 'fingerprint' | 'is_done' | 'status' | 'headers' | 'body' | 'outcome'> {
  readonly headers: Readonly<Record<string, string>> | null;
}
