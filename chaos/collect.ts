import type pg from 'pg';
import type { Edge, EventFact, Facts, JobFact, Limit, Move, RunRow, ScheduleFact } from './facts.ts';
import { type PlannedJob, TENANT_COUNT } from './plan.ts';
import { readRecord } from './record.ts';

const JOBS = `
select j.id, j.tenant_id as "tenantId", d.key as "definitionKey", j.status, j.run_no as "runNo", j.attempt_count as "attemptCount",
       j.max_attempts as "maxAttempts", j.lost_lease_count as "lostLeaseCount", j.snooze_count as "snoozeCount",
       j.pending_dependencies as "pendingDependencies", j.reason,
       (j.lease_token is not null or j.lease_expires_at is not null) as "hasLease",
       j.cancel_requested_at is not null as "isCancelRequested",
       extract(epoch from j.scheduled_for - clock_timestamp())::float8 as "dueInSeconds",
       (j.payload ->> 'permanent')::boolean as "isPermanent", (j.payload ->> 'n')::integer as n
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id`;

const MOVES = `
select job_id as "jobId", run_no as "runNo", was, became, at_us::float8 as "atUs" from chaos.moves order by id`;

const RUNS = `
select coalesce(a.job_id, u.job_id) as "jobId", coalesce(a.attempt_no, u.attempt_no) as "runNo", a.status as attempt, u.outcome as usage,
       coalesce(a.started_at is not null, false) as "isKnownToHaveBegun",
       coalesce(a.error ->> 'message' like '%, beside other runs, so it spends no attempt.', false) as "hadCompany"
from millrace.job_attempts a full join millrace.usage_events u on u.job_id = a.job_id and u.attempt_no = a.attempt_no`;

const EDGES = `select job_id as "jobId", depends_on_id as "parentId", policy from millrace.job_dependencies`;

const LIMITS = `
select null::uuid as "tenantId", key as "definitionKey", false as "perTenant", max_running as "maxRunning"
from millrace.job_definitions where max_running is not null
union all
select null, key, true, max_running_per_tenant from millrace.job_definitions where max_running_per_tenant is not null
union all
select id, null, false, max_running from millrace.tenants where max_running is not null
union all
select l.tenant_id, d.key, false, l.max_running from millrace.lane_limits l join millrace.job_definitions d on d.id = l.definition_id
where l.max_running is not null`;

/**
 * Jobs by themselves, not by what the runs of triggers say of them: a job that is on no record counts too.
 */
const EVENTS = `
select e.data ->> 'no' as no, e.processed_at is not null as "isProcessed",
       (select count(*)::integer from millrace.triggers t where t.tenant_id = e.tenant_id and t.kind = 'event') as "triggerCount",
       array(select coalesce((select r.trigger_id::text from millrace.trigger_runs r where r.job_id = j.id limit 1), 'nobody')
             from millrace.jobs j where j.source = 'event' and j.source_ref = e.id::text) as "madeBy"
from millrace.app_events e where e.name like 'chaos.%'`;

const SCHEDULES = `
select t.id as "triggerId", t.every_seconds as "everySeconds",
       array(select extract(epoch from (j.payload ->> 'of')::timestamptz)::float8 * 1000
             from millrace.jobs j where j.source = 'schedule' and j.source_ref = t.id::text) as "ticksMs"
from millrace.triggers t where t.kind = 'schedule'`;

/** Four tenants, one of them under a limit of its own, one with a limit for one definition. */
export async function makeTenants(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query(
    `insert into millrace.tenants (slug, name, max_running)
     select 'chaos-' || n, 'chaos ' || n, case when n = 1 then 5 end from generate_series(0, $1 - 1) n order by n returning id`,
    [TENANT_COUNT],
  );
  const tenantIds = rows.map((row) => row.id as string);
  await client.query(
    `insert into millrace.lane_limits (tenant_id, definition_id, max_running)
     select $1, id, 4 from millrace.job_definitions where key = 'chaos-free'`,
    [tenantIds[2]],
  );
  return tenantIds;
}

/** Everything that the judges want to know. */
export async function collectFacts(
  client: pg.Client,
  plan: readonly PlannedJob[],
  plannedEvents: number,
  recordPath: string,
  maxRssMb: number,
): Promise<Facts> {
  const read = async <T extends pg.QueryResultRow>(query: string): Promise<readonly T[]> =>
    (await client.query<T>(query)).rows;
  const jobs = await read<JobFact & { readonly n: number }>(JOBS);
  return {
    planned: plan.length,
    plannedEvents,
    events: await read<EventFact>(EVENTS),
    schedules: await read<ScheduleFact>(SCHEDULES),
    jobs: jobs.map(({ n, ...job }) => ({ ...job, isCanceled: plan[n]?.canceled ?? false })),
    moves: await read<Move>(MOVES),
    runs: await read<RunRow>(RUNS),
    edges: await read<Edge>(EDGES),
    limits: await read<Limit>(LIMITS),
    effects: readRecord(recordPath),
    maxRssMb,
  };
}
