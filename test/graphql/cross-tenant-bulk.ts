import { expect } from 'vitest';
import type { CrossTenantTools } from './cross-tenant-access.ts';

/** The cases about bulk actions. */
export function bulkCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  const byId = (id: string): string => `(id: "${id}")`;
  return {
    'Query.bulkAction': async () => {
      const { ask, ours, other, sameAsMissing, expectNothingOf } = tools();
      await sameAsMissing('Query.bulkAction', byId, other.bulkActionId);
      const own = await ask('Query.bulkAction', byId(ours.bulkActionId));
      expect(own.data.found.uuid).toBe(ours.bulkActionId);
      expectNothingOf(own);
    },
    'Query.bulkActions': async () => {
      const { ask, ours, expectNothingOf } = tools();
      const answer = await ask('Query.bulkActions', '(first: 5)');
      expect(JSON.stringify(answer.data)).toContain(ours.bulkActionId);
      expectNothingOf(answer);
    },
    'Subscription.bulkActionChanged': () =>
      tools().sameAsMissing('Query.bulkAction', byId, tools().other.bulkActionId),
    'Mutation.startBulkAction': async () => {
      const { api, ask, ours, other, unchanged } = tools();
      const answer = await ask(
        'Mutation.startBulkAction',
        `(input: { verb: CANCEL, filter: { ids: ["${other.jobId}"] } })`,
      );
      const { uuid } = answer.data.found.StartBulkActionPayload_bulkAction;
      const { rows } = await api.superuser.query(
        'select tenant_id from millrace.bulk_actions where id = $1',
        [uuid],
      );
      expect(rows[0].tenant_id).toBe(ours.tenantId);
      await unchanged();
    },
    'Mutation.stopBulkAction': async () => {
      const { api, other, sameAsMissing } = tools();
      await sameAsMissing('Mutation.stopBulkAction', (id) => `(input: { id: "${id}" })`, other.bulkActionId);
      const { rows } = await api.superuser.query(
        'select stop_requested_at from millrace.bulk_actions where id = $1',
        [other.bulkActionId],
      );
      expect(rows[0].stop_requested_at).toBeNull();
    },
  };
}
