import { expect } from 'vitest';
import type { CrossTenantTools } from './cross-tenant-access.ts';

/** The cases about what jobs lead to, of rows that only a foreign writer could make. */
export function jobCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  const askOurs = () => tools().ask('Query.job', `(id: "${tools().ours.jobId}")`);
  return {
    // A job of ours that names another tenant's video shows none.
    'Job.video': async () => {
      expect((await askOurs()).data.found.video).toBeNull();
    },
    'Job.dependents': async () => {
      const { api, ours, other, expectNothingOf } = tools();
      // Edges to another tenant's jobs show nothing.
      await api.superuser.query(
        `insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id) values ($1, $2, $3), ($2, $1, $3)
         on conflict do nothing`,
        [ours.jobId, other.jobId, ours.tenantId],
      );
      const answer = await askOurs();
      expect(answer.data.found).toMatchObject({ dependsOn: [], dependents: [] });
      expectNothingOf(answer);
    },
    // Another tenant's job neither is what ours replays, nor a replay of ours.
    'Job.replays': async () => {
      const answer = await askOurs();
      expect(answer.data.found).toMatchObject({ replayOf: null, replays: [] });
      tools().expectNothingOf(answer);
    },
  };
}
