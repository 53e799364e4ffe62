import pg from 'pg';

/**
 * The least that a queue in Postgres can be: what our own is compared with. Durable like ours, in the same
 * server.
 */
const CREATE_PLAIN = `
create table public.plain_jobs (
  id bigint generated always as identity primary key,
  status text not null default 'queued',
  payload jsonb not null default '{}',
  finished_at timestamptz
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
create index plain_jobs_ready_idx on public.plain_jobs (id) where status = 'queued';`;

const CLAIM = `
update public.plain_jobs set status = 'running'
where id = (select id from public.plain_jobs where status = 'queued' order by id for update skip locked limit 1)
returning id, payload`;

const COMPLETE = `update public.plain_jobs set status = 'done', finished_at = clock_timestamp() where id = $1`;

export async function createPlainTable(client: pg.Client): Promise<void> {
  await client.query(CREATE_PLAIN);
}

/** Fills the table; returns when the rows are committed, with the database's time then. */
export async function fillPlainTable(client: pg.Client, count: number): Promise<Date> {
  await client.query(
    'insert into public.plain_jobs (payload) select jsonb_build_object($2::text, n) from generate_series(1, $1::int) n',
    [count, 'n'],
  );
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  return (rows[0] as { now: Date }).now;
}

/** The database's time when the last row was completed. */
export async function lastPlainEnd(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ at: Date }>('select max(finished_at) as at from public.plain_jobs');
  return (rows[0] as { at: Date }).at;
}

/**
 * Connections of the plain loop, each with one job at a time, by the same driver and named prepared
 * statements.
 */
export async function openPlainConnections(
  connectionString: string,
  count: number,
): Promise<readonly pg.Client[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client({ connectionString, application_name: 'plain loop' });
      await client.connect();
      return client;
    }),
  );
}

/**
 * One job, claimed and completed: two statements, two commits. False when there was none.
 * @param onClaimed called in between, where a handler would be
 */
export async function runPlainJob(client: pg.Client, onClaimed?: () => void): Promise<boolean> {
  const { rows } = await client.query<{ id: string }>({ name: 'plain_claim', text: CLAIM });
  const job = rows[0];
  if (job === undefined) return false;
  onClaimed?.();
  await client.query({ name: 'plain_complete', text: COMPLETE, values: [job.id] });
  return true;
}

export const PLAIN_CHANNEL = 'plain_work';

/** One job and its wake-up: an INSERT, and after its commit a NOTIFY, as ours. */
export async function enqueuePlainJob(client: pg.Client): Promise<void> {
  await client.query({
    name: 'plain_insert',
    text: `insert into public.plain_jobs (payload) values ('{"n": 1}')`,
  });
  await client.query({ name: 'plain_notify', text: `select pg_notify('${PLAIN_CHANNEL}', '')` });
}

/** What the listening process says: `null` when it is up, then the machine's clock at each job. */
export interface PlainStart {
  readonly atMs: number | null;
}

/** What the process of the plain loop receives: work on this many connections until nothing is left. */
export interface PlainOrder {
  readonly connections: number;
}

/** What it says: `null` when it is up, then the duration of each job, one array a run. */
export interface PlainNews {
  readonly durationsMs: readonly number[] | null;
}
