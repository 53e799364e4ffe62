import { statement } from '../../statement.ts';

/**
 * The payloads or results of jobs as JSON text: $3 says which, and the other is not read. With each comes
 * what all of them take, in bytes; where that is more than $4, no text comes, and none is kept: their lengths
 * are added up first, one at a time. Locks nothing. Index: jobs_pkey.
 */
export const jsonOfJobs = statement(
  'json_of_jobs',
  `
with sized as materialized (
  select j.id, octet_length(case $3::text when 'payload' then j.payload else j.result end::text) as bytes
  from millrace.jobs j
  where j.tenant_id = $1::uuid and j.id = any ($2::uuid[])
),
total as materialized (select coalesce(sum(s.bytes), 0) as bytes from sized s)
select s.id, t.bytes::int8::float8 as "totalBytes",
       case when t.bytes <= $4::int8 and s.bytes is not null then
         (select case $3::text when 'payload' then j.payload else j.result end::text from millrace.jobs j
          where j.tenant_id = $1::uuid and j.id = s.id)
       end as json
from sized s cross join total t`,
);
