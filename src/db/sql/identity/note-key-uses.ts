import { statement } from '../../statement.ts';

/**
 * Notes that keys $1 were used at times $2, keys of all tenants in one statement; what another server has
 * noted less than 50 seconds before stays. Locks the rows, in the order of their ids. Indexes: api_keys_pkey,
 * api_key_uses_pkey.
 */
export const noteKeyUses = statement(
  'note_key_uses',
  `
insert into millrace.api_key_uses as u (key_id, tenant_id, last_used_at)
select k.id, k.tenant_id, t.at from unnest($1::uuid[], $2::timestamptz[]) as t (id, at) join millrace.api_keys k on k.id = t.id
order by k.id
on conflict (key_id) do update set last_used_at = excluded.last_used_at
where u.last_used_at < excluded.last_used_at - interval '50 seconds'`,
);
