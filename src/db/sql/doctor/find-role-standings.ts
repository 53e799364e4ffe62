import { statement } from '../../statement.ts';

/**
 * How our roles ($1, their names) stand: whether each is there, whether this login may become it, and whether
 * it would see past row security. For `millrace doctor`. Locks nothing. Index: pg_authid_rolname_index.
 */
export const findRoleStandings = statement(
  'find_role_standings',
  `
select wanted.name,
       r.oid is not null as is_there,
       coalesce(pg_has_role(session_user, r.oid, 'SET'), false) as may_become,
       coalesce(r.rolsuper or r.rolbypassrls, false) as bypasses_row_security
from unnest($1::text[]) as wanted (name) left join pg_roles r on r.rolname = wanted.name
order by wanted.name`,
);

export interface RoleStandingRow {
  readonly name: string;
  readonly is_there: boolean;
  readonly may_become: boolean;
  readonly bypasses_row_security: boolean;
}
