import { statement } from '../../statement.ts';

/**
 * The payloads or results of jobs as JSON text: $3 says which, and the other is not read. With each comes what all of them take, in bytes;
 * where that is more than $4, no text comes. Locks nothing. Index: jobs_pkey.
 */
export const jsonOfJobs = statement(
  'json_of_jobs',
  `
with found as materialized (
  select j.id, case $3::text when 'payload' then j.payload else j.result end::text as json
  from millrace.jobs j
  where j.tenant_id = $1::uuid and j.id = any ($2::uuid[])
),
sized as (
  select f.id, f.json, coalesce(sum(octet_length(f.json)) over (), 0) as bytes from found f
)
select s.id, s.bytes::int8::float8 as "totalBytes", case when s.bytes <= $4::int8 then s.json end as json
from sized s`,
);
