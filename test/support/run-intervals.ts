import type pg from 'pg';

/** One run as the database saw it: from its claim to the moment it stopped running, whatever its end. */
interface Interval {
  readonly tenant_id: string;
  readonly definition_id: string;
  readonly from_us: string;
  readonly to_us: string | null;
}

/**
 * Notes every run from now on, those too that leave no attempt row. Both ends lie within what other
 * transactions see: the beginning is the claim's own time, the end is noted before it commits.
 */
export async function recordRuns(superuser: pg.Client): Promise<void> {
  await superuser.query(`
    create table if not exists public.runs (
      job_id uuid, run_no integer, tenant_id uuid, definition_id uuid, from_at timestamptz, to_at timestamptz default clock_timestamp());
    grant all on public.runs to public;
    truncate public.runs;
    create or replace function public.record_run() returns trigger language plpgsql as $$
    begin
      insert into public.runs (job_id, run_no, tenant_id, definition_id, from_at)
      values (old.id, old.run_no, old.tenant_id, old.definition_id, old.claimed_at);
      return new;
    end $$;
    create or replace trigger record_run before update on millrace.jobs for each row
    when (old.status = 'running' and new.status <> 'running') execute function public.record_run();`);
}

/** The most that ran at one time, by tenant and definition as `group` says: a sweep over the intervals. */
export async function mostAtOnce(
  superuser: pg.Client,
  group: 'definition' | 'tenant' | 'lane',
): Promise<number> {
  const us = (at: string): string => `(extract(epoch from ${at}) * 1000000)::bigint`;
  const { rows } = await superuser.query<Interval>(
    `select tenant_id, definition_id, ${us('from_at')} as from_us, ${us('to_at')} as to_us from public.runs
     union all
     select tenant_id, definition_id, ${us('claimed_at')}, null from millrace.jobs where status = 'running'`,
  );
  const groups = Map.groupBy(rows, (run) =>
    group === 'definition'
      ? run.definition_id
      : group === 'tenant'
        ? run.tenant_id
        : `${run.tenant_id} ${run.definition_id}`,
  );
  return Math.max(0, ...[...groups.values()].map(mostOverlapping));
}

function mostOverlapping(runs: readonly Interval[]): number {
  const events = runs.flatMap((run) => [
    { atUs: Number(run.from_us), change: 1 },
    { atUs: run.to_us === null ? Number.POSITIVE_INFINITY : Number(run.to_us), change: -1 },
  ]);
  // An end before a beginning of the same microsecond: the beginning was counted after the end had committed.
  events.sort((a, b) => a.atUs - b.atUs || a.change - b.change);
  let [now, most] = [0, 0];
  for (const { change } of events) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}
