import { expect } from 'vitest';
import type { CrossTenantTools } from './cross-tenant-access.ts';

/** The cases about links. */
export function linkCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  const byId = (id: string): string => `(id: "${id}")`;
  const shownOursOnly = async (coordinate: string, args: string): Promise<void> => {
    const { ask, ours, expectNothingOf } = tools();
    const answer = await ask(coordinate, args);
    expect(answer.errors).toEqual([]);
    expect(JSON.stringify(answer.data)).toContain(ours.linkId);
    expectNothingOf(answer);
  };
  return {
    'Query.link': async () => {
      const { ask, ours, other, sameAsMissing, expectNothingOf } = tools();
      await sameAsMissing('Query.link', byId, other.linkId);
      const own = await ask('Query.link', byId(ours.linkId));
      expect(own.data.found.uuid).toBe(ours.linkId);
      expectNothingOf(own);
    },
    'Query.links': () => shownOursOnly('Query.links', '(first: 2)'),
    // Both tenants' links have this word, and the same vector.
    'Query.searchLinks': () => shownOursOnly('Query.searchLinks', '(query: "talk", mode: WORDS)'),
    'Subscription.linkChanged': () => tools().sameAsMissing('Query.link', byId, tools().other.linkId),
    'Mutation.submitLink': async () => {
      const { api, ask, ours, expectNothingOf } = tools();
      const answer = await ask(
        'Mutation.submitLink',
        '(input: { url: "http://example.com/", sourceRef: "SECRET-OF-NOBODY" })',
      );
      const { uuid } = answer.data.found.SubmitLinkPayload_link;
      const { rows } = await api.superuser.query('select tenant_id from millrace.links where id = $1', [
        uuid,
      ]);
      expect(rows[0].tenant_id).toBe(ours.tenantId);
      await api.superuser.query('delete from millrace.links where id = $1', [uuid]);
      expectNothingOf(answer);
    },
    'Mutation.deleteLink': async () => {
      const { api, other, sameAsMissing } = tools();
      await sameAsMissing('Mutation.deleteLink', (id) => `(input: { id: "${id}" })`, other.linkId);
      const { rows } = await api.superuser.query('select id from millrace.links where id = $1', [
        other.linkId,
      ]);
      expect(rows).toHaveLength(1);
    },
  };
}
