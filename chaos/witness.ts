import type pg from 'pg';

/**
 * A witness in the database that notes every move of a job when it happens, whatever makes it. Its times are
 * good for judging limits: a claim's is taken after the claim has counted who runs, and a settlement's before
 * it is committed, so that a run that the claim rightly took for ended has ended by its time too.
 * `claimed_at` would not do: it is read before the count.
 */
export async function installWitness(client: pg.Client): Promise<void> {
  await client.query(`
    create schema chaos;
    create table chaos.moves (
      id bigint generated always as identity primary key,
      job_id uuid not null, tenant_id uuid not null, definition_id uuid not null,
      run_no integer not null, was text not null, became text not null,
      at_us bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint
    );
    create function chaos.witness() returns trigger language plpgsql security definer as $$
    begin
      insert into chaos.moves (job_id, tenant_id, definition_id, run_no, was, became)
      values (new.id, new.tenant_id, new.definition_id, new.run_no, old.status, new.status);
      return null;
    end $$;
    create trigger witness after update on millrace.jobs for each row
    when (old.status <> new.status or old.status not in ('queued', 'running'))
    execute function chaos.witness()`);
}
