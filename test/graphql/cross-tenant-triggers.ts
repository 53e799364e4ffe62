import { expect } from 'vitest';
import type { CrossTenantTools } from './cross-tenant-access.ts';

/** The cases about events and what makes jobs of them and at times. */
export function triggerCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  const byId = (id: string): string => `(id: "${id}")`;
  const byInput = (id: string): string => `(input: { id: "${id}" })`;
  const unchanged = async (): Promise<void> => {
    const { api, other, mark } = tools();
    const { rows } = await api.superuser.query('select label, version from millrace.triggers where id = $1', [
      other.triggerId,
    ]);
    expect(rows).toEqual([{ label: mark, version: '1' }]);
  };
  const oursOnly = async (coordinate: string, id: string): Promise<void> => {
    const { ask, expectNothingOf } = tools();
    const answer = await ask(coordinate, '(first: 2)');
    expect(answer.errors).toEqual([]);
    expect(JSON.stringify(answer.data)).toContain(id);
    expectNothingOf(answer);
  };
  return {
    'Query.trigger': async () => {
      const { ask, ours, other, sameAsMissing, expectNothingOf } = tools();
      await sameAsMissing('Query.trigger', byId, other.triggerId);
      const own = await ask('Query.trigger', byId(ours.triggerId));
      expect(own.data.found.uuid).toBe(ours.triggerId);
      expectNothingOf(own);
    },
    'Query.triggers': () => oursOnly('Query.triggers', tools().ours.triggerId),
    'Query.event': async () => {
      const { ask, ours, other, sameAsMissing, expectNothingOf } = tools();
      await sameAsMissing('Query.event', byId, other.eventId);
      const own = await ask('Query.event', byId(ours.eventId));
      expect(own.data.found.uuid).toBe(ours.eventId);
      expectNothingOf(own);
    },
    'Query.events': () => oursOnly('Query.events', tools().ours.eventId),
    'Query.schedulePreview': async () => {
      const { ask, expectNothingOf } = tools();
      expectNothingOf(await ask('Query.schedulePreview', '(input: { cron: "@daily" })'));
    },
    'Query.testTrigger': async () => {
      const { ask, expectNothingOf } = tools();
      const trial =
        '(input: { trigger: { label: "t", definition: "echo", eventName: "a", payloadTemplate: { message: "{{tenant.id}}" } } })';
      const answer = await ask('Query.testTrigger', trial);
      expect(answer.data.found.payload.message).toBe(tools().ours.tenantId);
      expectNothingOf(answer);
    },
    'Mutation.emitEvent': async () => {
      const { api, ask, ours, other } = tools();
      const before = await api.superuser.query(
        'select count(*) from millrace.app_events where tenant_id = $1',
        [other.tenantId],
      );
      const answer = await ask('Mutation.emitEvent', '(input: { name: "of.no.use" })');
      const { rows } = await api.superuser.query('select tenant_id from millrace.app_events where id = $1', [
        answer.data.found.EmitEventPayload_event.uuid,
      ]);
      expect(rows[0].tenant_id).toBe(ours.tenantId);
      const after = await api.superuser.query(
        'select count(*) from millrace.app_events where tenant_id = $1',
        [other.tenantId],
      );
      expect(after.rows).toEqual(before.rows);
    },
    'Mutation.createTrigger': async () => {
      const { api, ask, ours, expectNothingOf } = tools();
      const answer = await ask(
        'Mutation.createTrigger',
        '(input: { label: "mine", definition: "echo", eventName: "none.such", payloadTemplate: { message: "m" } })',
      );
      const { uuid } = answer.data.found.CreateTriggerPayload_trigger;
      const { rows } = await api.superuser.query('select tenant_id from millrace.triggers where id = $1', [
        uuid,
      ]);
      expect(rows[0].tenant_id).toBe(ours.tenantId);
      expectNothingOf(answer);
    },
    'Mutation.updateTrigger': () =>
      tools().sameAsMissing('Mutation.updateTrigger', byInput, tools().other.triggerId).then(unchanged),
    'Mutation.runScheduleNow': () =>
      tools().sameAsMissing('Mutation.runScheduleNow', byInput, tools().other.triggerId).then(unchanged),
    'Mutation.deleteTrigger': () =>
      tools().sameAsMissing('Mutation.deleteTrigger', byInput, tools().other.triggerId).then(unchanged),
  };
}
