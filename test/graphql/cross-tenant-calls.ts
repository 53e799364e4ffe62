import { expect } from 'vitest';
import type { CrossTenantTools } from './cross-tenant-access.ts';

const byId = (id: string) => `(id: "${id}")`;
const byInput = (id: string) => `(input: { id: "${id}" })`;

/** The cases about calls, their transcripts and the search in them. */
export function callCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  return {
    'Query.call': async () => {
      const { api, token, ours, other, ask, sameAsMissing, expectNothingOf } = tools();
      await sameAsMissing('Query.call', byId, other.callId);
      const own = await ask('Query.call', byId(ours.callId));
      expect(own.errors).toEqual([]);
      expect(own.data.found.uuid).toBe(ours.callId);
      expectNothingOf(own);
      const read = await api.query(
        token,
        `{ call(id: "${ours.callId}") { title metadata cost { speechMicros } progress { stage } clips(first: 2) { nodes { createdBy url } } error { message } transcript { provider turns { text words { text } } }
          analysis { keywords { text } overview { summary } } stages { job { uuid } } artifacts { url } } }`,
      );
      expect(read.errors).toEqual([]);
      expect(read.data.call.transcript.turns).toMatchObject([{ text: 'ours', words: [{ text: 'ours' }] }]);
      expectNothingOf(read);
    },
    'Query.calls': async () => {
      const { ask, expectNothingOf } = tools();
      const answer = await ask('Query.calls', '(first: 2)');
      expect(answer.errors).toEqual([]);
      expect(answer.data.found.nodes.length).toBeGreaterThan(0);
      expectNothingOf(answer);
    },
    'Query.searchCalls': async () => {
      const { api, token, ours, other, mark, ask, expectNothingOf } = tools();
      for (const args of [
        `(query: "${mark}")`,
        '(query: "secrat")',
        `(query: "ours", callId: "${other.callId}")`,
      ]) {
        const answer = await ask('Query.searchCalls', args);
        expect(answer.errors).toEqual([]);
        expect(answer.data.found.edges).toEqual([]);
      }
      const own = await api.query(
        token,
        '{ searchCalls(query: "ours") { edges { node { uuid title } hit { text } } } }',
      );
      expect(own.data.searchCalls.edges).toMatchObject([
        { node: { uuid: ours.callId }, hit: { text: 'ours' } },
      ]);
      expectNothingOf(own);
    },
    'Mutation.submitCall': async () => {
      const { other, ask, expectNothingOf } = tools();
      // Names of objects know no tenant: another one's inbox is as good as nothing, whether a file is there
      // or not.
      const answer = await ask(
        'Mutation.submitCall',
        `(input: { recording: { objectKey: "call-inbox/${other.tenantId}/a.wav" } })`,
      );
      expect(JSON.stringify(answer)).toContain('INVALID_ARGUMENT');
      expectNothingOf(answer);
    },
    'Mutation.completeCallUpload': async () => {
      const { other, sameAsMissing, unchanged } = tools();
      await sameAsMissing(
        'Mutation.completeCallUpload',
        (id) => `(input: { callId: "${id}" })`,
        other.callId,
      ).then(unchanged);
    },
    'Mutation.deleteCall': async () => {
      const { api, other, sameAsMissing } = tools();
      await sameAsMissing('Mutation.deleteCall', byInput, other.callId);
      const { rowCount } = await api.superuser.query('select from millrace.calls where id = $1', [
        other.callId,
      ]);
      expect(rowCount).toBe(1);
    },
  };
}
