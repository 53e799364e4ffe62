import { statement } from '../../statement.ts';

/**
 * Row security of every table of ours that holds tenants' rows: it has a column tenant_id, or is the table of
 * tenants. For `millrace doctor`. Locks nothing. Index: those of the catalogue.
 */
export const findRowSecurity = statement(
  'find_row_security',
  `
select c.relname::text as table_name,
       c.relrowsecurity as is_enabled,
       c.relforcerowsecurity as is_forced,
       (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policy_count
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'millrace' and c.relkind in ('r', 'p')
  and (c.relname = 'tenants' or exists (
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))
order by c.relname`,
);

export interface RowSecurityRow {
  readonly table_name: string;
  readonly is_enabled: boolean;
  readonly is_forced: boolean;
  readonly policy_count: number;
}
