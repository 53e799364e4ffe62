import { statement } from '../../statement.ts';

/** Takes a person out of a tenant. Locks the row. Index: tenant_members_pkey. */
export const removeMember = statement(
  'remove_member',
  `delete from millrace.tenant_members where tenant_id = $1 and user_sub = $2`,
);
