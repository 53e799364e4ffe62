import { expect } from 'vitest';
import type { CrossTenantTools } from './cross-tenant-access.ts';

/** The case about the search in videos. */
export function searchCases(tools: () => CrossTenantTools): Record<string, () => Promise<unknown>> {
  return {
    'Query.searchVideos': async () => {
      const { api, token, ours, other, mark, ask, expectNothingOf } = tools();
      // Their words find nothing here, by themselves, by their entities and in their video; ours find ours.
      for (const args of [
        `(query: "${mark}", first: 2)`,
        `(query: "secrat", first: 2)`,
        `(filter: { videoIds: ["${other.videoId}"] }, first: 2)`,
      ]) {
        const answer = await ask('Query.searchVideos', args);
        expect(answer.errors).toEqual([]);
        expect(answer.data.found.edges).toEqual([]);
        expectNothingOf(answer);
      }
      const own = await api.query(
        token,
        `{ searchVideos(filter: { mentions: ["somebody"] }) { facets { mentions { value count } } edges { node { uuid }
          hits { highlights { text box { x } } segment { uuid text video { uuid } box { x } words { text box { x } }
            entities { value } thumbnailUrl } } } } }`,
      );
      expect(own.errors).toEqual([]);
      expect(own.data.searchVideos.edges).toMatchObject([
        { node: { uuid: ours.videoId }, hits: [{ segment: { uuid: ours.segmentId, text: 'ours' } }] },
      ]);
      expect(own.data.searchVideos.facets.mentions).toEqual([{ value: 'somebody', count: 1 }]);
      expectNothingOf(own);
    },
  };
}
