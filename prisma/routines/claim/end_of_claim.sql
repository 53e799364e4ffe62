-- needs: epoch_us
-- The last row of a claim, which is no job: its token and time, where the next claim goes on, and what stood
-- in its way.
create or replace function millrace.end_of_claim(
  p_token uuid, p_at timestamptz, p_tenant_id uuid, p_definition_id uuid, p_credit integer, p_is_alone boolean, p_is_contended boolean
) returns millrace.claimed_job language sql stable parallel safe
return row(null, null, null,
           jsonb_build_object('token', p_token, 'claimedUs', millrace.epoch_us(p_at), 'tenantId', p_tenant_id,
                              'definitionId', p_definition_id, 'credit', p_credit, 'isAlone', p_is_alone,
                              'isContended', p_is_contended),
           null, null, null, null, null, null, null, null, null)::millrace.claimed_job;
