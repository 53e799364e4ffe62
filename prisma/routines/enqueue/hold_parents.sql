-- owner: worker
-- The jobs that a new one is to wait for, held until the end of the transaction: `pending` of them have not
-- ended, and `doom` is why the new job must not run. Refuses ids that are no jobs of the tenant. Locks: the
-- parents FOR SHARE in id order, before the new row, as everybody does.
create or replace function millrace.hold_parents(
  p_tenant_id uuid, p_parents uuid[], p_policy text, out pending integer, out doom text
) language plpgsql volatile as $$
declare
  v_found integer;
begin
  if cardinality(p_parents) > 100 or array_position(p_parents, null) is not null then
    perform millrace.refuse_argument('depends_on', cardinality(p_parents) || ' jobs', 'at most 100 ids of jobs');
  end if;
  -- Read as they are once they are held.
  with held as materialized (
    select j.status, j.reason from millrace.jobs j
    where j.tenant_id = p_tenant_id and j.id = any (p_parents)
    order by j.id
    for share
  )
  select count(*), count(*) filter (where h.status in ('queued', 'running')),
         case when p_policy <> 'run' and bool_or(millrace.ended_badly(h.status, h.reason))
              then case p_policy when 'cancel' then 'parent_failed' else 'skipped' end end
  into v_found, pending, doom
  from held h;
  if v_found < cardinality(p_parents) then
    perform millrace.refuse_argument('depends_on', p_parents::text, 'ids of jobs of the same tenant');
  end if;
end $$;

revoke all on function millrace.hold_parents from public;
