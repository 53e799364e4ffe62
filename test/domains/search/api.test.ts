import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let tenantId: string;
let member: string;
let videoId: string;

beforeAll(async () => {
  api = await startTestApi();
  tenantId = await api.makeTenant();
  member = await api.token(tenantId, 'member');
  const { rows } = await api.superuser.query(
    `insert into millrace.videos (tenant_id, title, original_key, status) values ($1, 'v', 'k', 'ready') returning id`,
    [tenantId],
  );
  videoId = rows[0].id;
  await api.superuser.query(
    `insert into millrace.segments (tenant_id, video_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence,
       language, bounding_box, words)
     select $1, $2, 1000 * n, 1000 * n, 1000 * n + 400, 'Line no ' || n, '', '', 0.5, 'eng', '{"x": 10, "y": 20, "width": 300, "height": 40}',
       jsonb_build_array(
         jsonb_build_object('text', 'Line', 'confidence', 0.9, 'x', 10, 'y', 20, 'width', 90, 'height', 40),
         jsonb_build_object('text', 'no', 'confidence', 0.9, 'x', 110, 'y', 20, 'width', 60, 'height', 40),
         jsonb_build_object('text', n::text, 'confidence', 0.9, 'x', 200, 'y', 20, 'width', 50, 'height', 40))
     from generate_series(0, 11) n`,
    [tenantId, videoId],
  );
  await api.superuser.query(
    `begin; select set_config('millrace.tenant_id', '${tenantId}', true), millrace.refresh_search_materialized(); commit`,
  );
});
afterAll(() => api.close());

describe('searchVideos', () => {
  it('gives each hit its time, the boxes of the words that matched, and a thumbnail that can be fetched', async () => {
    const directory = join(api.storageDir, 'frames', videoId);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, '7000.jpg'), 'a picture');
    const answer = await api.query(
      member,
      `query ($query: String) { searchVideos(query: $query, first: 5) { order videoCount hitCount pageInfo { hasNextPage endCursor }
         edges { score hitCount node { uuid title } hits { score highlights { text box { x y width height } }
           segment { id startMs endMs frameMs text confidence language box { x } words { text } thumbnailUrl thumbnailUrlExpiresAt } } } } }`,
      { query: '"line no" 7 ' },
    );
    expect(answer.errors).toEqual([]);
    const found = answer.data.searchVideos;
    expect(found).toMatchObject({ order: 'RELEVANCE', videoCount: 1, hitCount: 1 });
    const [hit] = found.edges[0].hits;
    expect(hit.segment).toMatchObject({ startMs: 7000, endMs: 7400, text: 'Line no 7', box: { x: 10 } });
    expect(hit.highlights).toEqual([
      { text: 'Line', box: { x: 10, y: 20, width: 90, height: 40 } },
      { text: 'no', box: { x: 110, y: 20, width: 60, height: 40 } },
      { text: '7', box: { x: 200, y: 20, width: 50, height: 40 } },
    ]);
    const picture = await fetch(hit.segment.thumbnailUrl, { headers: { connection: 'close' } });
    expect([picture.status, await picture.text()]).toEqual([200, 'a picture']);
    const node = await api.query(member, 'query ($id: ID!) { node(id: $id) { ... on Segment { text } } }', {
      id: hit.segment.id,
    });
    expect(node.data.node).toEqual({ text: 'Line no 7' });
  });

  it('answers what its page asks, as it is written there', async () => {
    const page = await readFile(new URL('../../../docs/search.md', import.meta.url), 'utf8');
    const documents = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text]) => text ?? '');
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) expect((await api.query(member, document)).errors).toEqual([]);
  });

  it('says which argument is wrong', async () => {
    const answer = await api.query(
      member,
      '{ searchVideos(filter: { price: { min: 2, max: 1 } }) { order } }',
    );
    expect(answer.errors[0]?.extensions).toMatchObject({
      code: 'INVALID_ARGUMENT',
      field: 'filter.price.min',
    });
  });

  it('shows a video’s texts in the order of time, page by page, both ways', async () => {
    const page = async (args: string) => {
      const { data, errors } = await api.query(
        member,
        `{ video(id: "${videoId}") { segments(${args}) { nodes { startMs } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
      );
      expect(errors).toEqual([]);
      const { nodes, pageInfo } = data.video.segments;
      return { times: nodes.map(({ startMs }: { startMs: number }) => startMs / 1000), pageInfo };
    };
    const first = await page('first: 5');
    expect(first.times).toEqual([0, 1, 2, 3, 4]);
    const next = await page(`first: 5, after: "${first.pageInfo.endCursor}"`);
    expect(next.times).toEqual([5, 6, 7, 8, 9]);
    expect(next.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const last = await page('last: 3');
    expect(last.times).toEqual([9, 10, 11]);
    expect((await page(`last: 3, before: "${last.pageInfo.startCursor}"`)).times).toEqual([6, 7, 8]);
  });
});
