import { statement } from '../../statement.ts';

/** A person's role in a tenant. Locks the row. Index: tenant_members_pkey. */
export const setMember = statement(
  'set_member',
  `
insert into millrace.tenant_members (tenant_id, user_sub, role) values ($1, $2, $3)
on conflict (tenant_id, user_sub) do update set role = excluded.role`,
);
