import { statement } from '../../statement.ts';

/**
 * Defaults that the database or this login has been given for settings that Millrace sets by itself ($1,
 * lower case), and whether the public may make temporary objects here. For `millrace doctor`. Locks
 * nothing. Index: pg_db_role_setting_databaseid_rol_index.
 */
export const readSessionDefaults = statement(
  'read_session_defaults',
  `
select coalesce((
         select array_agg(distinct c order by c)
         from pg_db_role_setting s cross join unnest(s.setconfig) c
         where (s.setdatabase = 0 or s.setdatabase = (select oid from pg_database where datname = current_database()))
           and (s.setrole = 0 or s.setrole = (select oid from pg_roles where rolname = session_user))
           and lower(split_part(c, '=', 1)) = any ($1::text[])
       ), '{}') as given,
       has_database_privilege('public', current_database(), 'TEMPORARY') as has_temporary`,
);

export interface SessionDefaultsRow {
  /** `name=value` of each. */
  readonly given: readonly string[];
  readonly has_temporary: boolean;
}
