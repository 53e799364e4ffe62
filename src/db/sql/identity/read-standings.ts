import { statement } from '../../statement.ts';

/**
 * What the database knows of each credential: does its tenant live, and the one it acts on, is its person a
 * member, was it revoked, and how its API key stands. One row an input, in order. $1 tenant ids, $2 subjects
 * (null for API keys), $3 token or key ids (null where there is none), $4 ids of API keys (null for tokens;
 * apart from $3, whose text no index of keys serves), $5 tenants acted on. Two revocation reads, one an
 * index: joined by "or" they would read all that the tenant ever revoked.
 * Crosses tenants: one look serves every open stream of the process. Locks nothing.
 * Indexes: tenants_pkey, tenant_members_pkey, revocations_subject_idx, revocations_token_idx, api_keys_pkey.
 */
export const readStandings = statement(
  'read_standings',
  `
select t.id is not null and t.deleted_at is null as tenant_lives,
       a.id is not null and a.deleted_at is null as acting_tenant_lives,
       exists (select from millrace.tenant_members m where m.tenant_id = i.tenant_id) as has_members,
       (select m.role from millrace.tenant_members m where m.tenant_id = i.tenant_id and m.user_sub = i.subject) as member_role,
       greatest(
         (select max(r.not_before) from millrace.revocations r where r.tenant_id = i.tenant_id and r.subject = i.subject),
         (select max(r.not_before) from millrace.revocations r
          where r.tenant_id = i.tenant_id and r.token_id = i.credential_id)) as revoked_before,
       k.role as key_role, k.scopes as key_scopes, k.persisted_only as key_persisted_only, k.expires_at as key_expires_at,
       k.revoked_at as key_revoked_at, k.job_types as key_job_types, statement_timestamp() as database_now
from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[])
  with ordinality as i (tenant_id, subject, credential_id, key_id, acting_tenant_id, position)
left join millrace.tenants t on t.id = i.tenant_id
left join millrace.tenants a on a.id = i.acting_tenant_id
left join millrace.api_keys k on k.id = i.key_id
order by i.position`,
);

/** The `key_` columns are null for tokens, and for a key whose row is gone. */
export interface StandingRow {
  readonly tenant_lives: boolean;
  readonly acting_tenant_lives: boolean;
  readonly has_members: boolean;
  readonly member_role: string | null;
  readonly revoked_before: Date | null;
  readonly key_role: string | null;
  readonly key_scopes: readonly string[] | null;
  readonly key_persisted_only: boolean | null;
  readonly key_expires_at: Date | null;
  readonly key_revoked_at: Date | null;
  readonly key_job_types: readonly string[] | null;
  /** The clock that revocations are written by. */
  readonly database_now: Date;
}
