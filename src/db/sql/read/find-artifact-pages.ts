import type { Artifact } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/** Numbers in names as numbers. A collation, since what row security guards is looked up by no function. */
const ORDERED_KEY = 'a.key collate millrace.natural_order';

/**
 * Pages of what jobs of tenant $7 have made, many in one statement: $1 jobs; of kind $2, or where that is
 * null of all but $6; behind kind $3, key $4; at most $5 of them. `place` says whose they are, from 1; a
 * page's files come by kind and name, numbers in names as numbers. Which kinds a job has is found by one look
 * at the index a kind, so that thousands of pieces cost a page of other files nothing. Locks nothing. Index:
 * artifacts_named_idx.
 */
export const findArtifactPages = statement(
  'find_artifact_pages',
  `
select w.place::integer as place, f.id, f.kind, f.key, f.size_bytes::float8 as "sizeBytes", f.sha256, f.content_type as "contentType",
  f.metadata, f.run_no as "runNo", f.created_at as "createdAt"
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[])
  with ordinality as w (job_id, kind, after_kind, after_key, size, place)
cross join lateral (
  with recursive kinds as (
    (select a.kind from millrace.artifacts a
     where a.job_id = w.job_id and a.kind >= greatest(w.after_kind, coalesce(w.kind, '')) order by a.kind limit 1)
    union all
    select (select a.kind from millrace.artifacts a where a.job_id = w.job_id and a.kind > k.kind order by a.kind limit 1)
    from kinds k where k.kind is not null and w.kind is null)
  select t.* from kinds k
  cross join lateral (
    select a.id, a.kind, a.key, a.size_bytes, a.sha256, a.content_type, a.metadata, a.run_no, a.created_at from millrace.artifacts a
    where a.job_id = w.job_id and a.tenant_id = $7::uuid and a.kind = k.kind
      and ${ORDERED_KEY} > case when k.kind = w.after_kind then w.after_key else '' end
    order by ${ORDERED_KEY} limit w.size) t
  where case when w.kind is null then k.kind <> all ($6::text[]) else k.kind = w.kind end
  order by t.kind, t.key collate millrace.natural_order limit w.size) f
order by w.place, f.kind, f.key collate millrace.natural_order`,
);

export interface ArtifactPageRow extends Columns<Artifact, 'id' | 'kind' | 'key' | 'sha256' | 'metadata'> {
  readonly place: number;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly runNo: number | null;
  readonly createdAt: Date;
}
