import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { hashApiKey, newApiKey } from '../../src/identity/api-key.ts';
import type { CrossTenantTools } from './cross-tenant-access.ts';

/** The cases about workers of our tenant and jobs of another one. */
export function workerCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  const asWorker = async (document: string) => {
    const { api, ours } = tools();
    const key = newApiKey();
    await api.superuser.query(
      `insert into millrace.api_keys (tenant_id, name, role, key_hash) values ($1, 'w', 'worker', $2)`,
      [ours.tenantId, hashApiKey(key)],
    );
    const answer = await api.query(key, document);
    expect(answer.errors).toEqual([]);
    return answer.data.found;
  };
  /** A running job of theirs, whose lease we know by a miracle. */
  const running = async () => {
    const { api, other } = tools();
    const token = randomUUID();
    const { rows } = await api.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, payload)
       select $1, id, '{"message": "theirs"}' from millrace.job_definitions where key = 'echo' returning id`,
      [other.tenantId],
    );
    const { id } = rows[0];
    await api.superuser.query(
      `update millrace.jobs set status = 'running', run_no = 1, lease_token = $2, claimed_by_worker = 'w', claimed_at = now(), started_at = now(),
         lease_expires_at = now() + interval '1 hour' where id = $1`,
      [id, token],
    );
    return { id, lease: `lease: { jobUuid: "${id}", runNo: 1, token: "${token}" }`, token };
  };
  const lost =
    (verb: string, rest = '') =>
    async (): Promise<void> => {
      const { api } = tools();
      const theirs = await running();
      const rowOf = () => api.superuser.query('select * from millrace.jobs where id = $1', [theirs.id]);
      const before = await rowOf();
      const found = await asWorker(
        `mutation { found: ${verb}(input: { ${theirs.lease} ${rest} }) { __typename ... on DomainFailure { code } } }`,
      );
      expect(found).toEqual({ __typename: 'LostLeaseError', code: 'LOST_LEASE' });
      expect((await rowOf()).rows).toEqual(before.rows);
    };
  return {
    'Mutation.claimJobs': async () => {
      const { api, other } = tools();
      const { rows } = await api.superuser.query(
        `insert into millrace.jobs (tenant_id, definition_id, payload)
         select $1, id, '{"message": "theirs"}' from millrace.job_definitions where key = 'echo' returning id`,
        [other.tenantId],
      );
      const found = await asWorker(
        `mutation { found: claimJobs(input: { worker: "w", jobTypes: ["echo"], limit: 100, waitSeconds: 0 }) {
           ... on ClaimJobsPayload { jobs { uuid tenantUuid } } } }`,
      );
      expect(JSON.stringify(found)).not.toContain(other.tenantId);
      const left = await api.superuser.query('select status from millrace.jobs where id = $1', [rows[0].id]);
      expect(left.rows).toEqual([{ status: 'queued' }]);
      await api.superuser.query('delete from millrace.jobs where id = $1', [rows[0].id]);
    },
    'Mutation.heartbeatJobs': async () => {
      const theirs = await running();
      const found = await asWorker(
        `mutation { found: heartbeatJobs(input: { leases: [{ jobUuid: "${theirs.id}", runNo: 1, token: "${theirs.token}" }] }) {
           ... on HeartbeatJobsPayload { heartbeats { state } } } }`,
      );
      expect(found).toEqual({ heartbeats: [{ state: 'LOST' }] });
    },
    'Mutation.startJob': lost('startJob'),
    'Mutation.reportJobProgress': lost('reportJobProgress', 'percent: 1'),
    'Mutation.appendJobLog': lost('appendJobLog', 'lines: [{ message: "ours" }]'),
    'Mutation.completeJob': lost('completeJob'),
    'Mutation.failJob': lost('failJob', 'message: "ours"'),
    'Mutation.snoozeJob': lost('snoozeJob', 'delaySeconds: 1'),
    'Mutation.releaseJob': lost('releaseJob'),
    'Mutation.signJobFiles': lost('signJobFiles'),
    'Mutation.createJobUpload': lost('createJobUpload', 'name: "a.txt"'),
  };
}
