import { statement } from '../../statement.ts';

/**
 * A person's role in a tenant, null when they are no member, and whether the tenant lists anybody. One row.
 * Locks the member's row. Index: tenant_members_pkey.
 */
export const holdMember = statement(
  'hold_member',
  `
with held as (
  select role from millrace.tenant_members where tenant_id = $1 and user_sub = $2 for no key update
)
select (select role from held) as role,
       exists (select from millrace.tenant_members where tenant_id = $1) as has_members`,
);

export interface HeldMemberRow {
  readonly role: string | null;
  readonly has_members: boolean;
}
