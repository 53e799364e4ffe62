import { statement } from '../../statement.ts';

/**
 * Takes a key for a request: a new one, one whose day is over, or one that a request of the same fingerprint
 * took and left without having written anything. No row: it is somebody else's, or has been used.
 * $1 tenant_id, $2 credential, $3 key, $4 fingerprint, $5 owner, $6 seconds that the request may take, $7
 * seconds that its answer is kept Locks the row. Index: idempotency_keys_pkey
 */
export const takeIdempotencyKey = statement(
  'take_idempotency_key',
  `
insert into millrace.idempotency_keys as k (tenant_id, credential, key, fingerprint, owner, locked_until, expires_at)
values ($1::uuid, $2, $3, $4, $5::uuid, now() + make_interval(secs => $6), now() + make_interval(secs => $7))
on conflict (tenant_id, credential, key) do update set
  fingerprint = excluded.fingerprint, owner = excluded.owner, is_done = false, status = null, headers = null, body = null, outcome = null,
  locked_until = excluded.locked_until, expires_at = excluded.expires_at
where k.expires_at < now()
   or (not k.is_done and k.status is null and k.locked_until < now() and k.fingerprint = excluded.fingerprint)
returning k.owner`,
);
