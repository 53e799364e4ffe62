import { statement } from '../../statement.ts';

/**
 * What the server is and how it is set, as the login of `DATABASE_URL` sees it; for `millrace doctor`. Locks
 * nothing. Index: those of the catalogue. Runs on any version, so that an old one can be recognised.
 */
export const readServerFacts = statement(
  'read_server_facts',
  `
select current_setting('server_version') as version,
       current_setting('server_version_num')::int as version_number,
       clock_timestamp() as now,
       session_user::text as login,
       (select rolsuper from pg_roles where rolname = session_user) as is_superuser,
       (select rolbypassrls from pg_roles where rolname = session_user) as bypasses_row_security,
       current_setting('fsync') as fsync,
       current_setting('full_page_writes') as full_page_writes,
       current_setting('synchronous_commit') as synchronous_commit,
       current_setting('autovacuum') as autovacuum,
       current_setting('track_counts') as track_counts`,
);

export interface ServerFactsRow {
  readonly version: string;
  readonly version_number: number;
  readonly now: Date;
  readonly login: string;
  readonly is_superuser: boolean;
  readonly bypasses_row_security: boolean;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly autovacuum: string;
  readonly track_counts: string;
}
