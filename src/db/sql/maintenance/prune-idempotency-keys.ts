import { statement } from '../../statement.ts';

/**
 * Removes at most $1 keys whose day is over. Locks the rows; skips those that are being taken. Index:
 * idempotency_keys_expires_idx.
 */
export const pruneIdempotencyKeys = statement(
  'prune_idempotency_keys',
  `
delete from millrace.idempotency_keys
where ctid = any (array(
  select k.ctid from millrace.idempotency_keys k where k.expires_at < now() order by k.expires_at limit $1 for update skip locked))`,
);
