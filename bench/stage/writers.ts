import pg from 'pg';

/**
 * The columns and the index that a queue cannot do without, and none of our duties: no tenants, no triggers,
 * no feed, no dedupe index, no row security.
 */
const CREATE = `
create table public.bare_jobs (
  id uuid primary key default uuidv7(),
  tenant_id uuid not null,
  definition_id uuid not null,
  source text not null default 'manual',
  status text not null default 'queued',
  priority integer not null default 100,
  payload jsonb not null default '{}',
  scheduled_for timestamptz not null default now(),
  queued_at timestamptz not null default now(),
  attempt_count integer not null default 0,
  max_attempts integer not null default 3,
  created_by text
) with (fillfactor = 80);
create index bare_jobs_ready_idx on public.bare_jobs (tenant_id, definition_id, priority, scheduled_for, id) where status = 'queued';`;

const INSERT_ONE = {
  name: 'bare_one',
  text: `insert into public.bare_jobs (tenant_id, definition_id, payload, created_by) values ($1, $2, $3, $4) returning id`,
};
const INSERT_MANY = {
  name: 'bare_many',
  text: `insert into public.bare_jobs (tenant_id, definition_id, payload, created_by)
         select $1, $2, unnest($3::jsonb[]), $4 returning id`,
};

/** Plain SQL that enqueues, by the same driver and with prepared statements. */
export interface BareWriters extends AsyncDisposable {
  /** One INSERT, committed by itself, on the given one of the connections. */
  insertOne(connection: number, payload: unknown): Promise<string>;
  insertMany(payloads: readonly unknown[]): Promise<void>;
}

/** Makes the table, where it is not there, and opens the connections. */
export async function openBareWriters(
  connectionString: string,
  count: number,
  tenantId: string,
  definitionId: string,
): Promise<BareWriters> {
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client({ connectionString, application_name: 'bare writer' });
      await client.connect();
      return client;
    }),
  );
  const first = clients[0] as pg.Client;
  const { rows } = await first.query(`select to_regclass('public.bare_jobs') is not null as there`);
  if (!rows[0].there) await first.query(CREATE);
  const by = 'bench';
  return {
    insertOne: async (connection, payload) => {
      const client = clients[connection] as pg.Client;
      const values = [tenantId, definitionId, JSON.stringify(payload), by];
      return (await client.query<{ id: string }>({ ...INSERT_ONE, values })).rows[0]?.id ?? '';
    },
    insertMany: async (payloads) => {
      const values = [tenantId, definitionId, payloads.map((payload) => JSON.stringify(payload)), by];
      await first.query({ ...INSERT_MANY, values });
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

/** Calls a second by N callers, each with one call at a time, over the given time. */
export async function callsPerSecond(
  callers: number,
  seconds: number,
  call: (caller: number, n: number) => Promise<unknown>,
): Promise<number> {
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < untilMs) {
        await call(caller, count);
        count++;
      }
    }),
  );
  return count / ((performance.now() - startedMs) / 1000);
}
