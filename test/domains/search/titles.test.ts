import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { type SearchScene, searchScene } from './scene.ts';

let q: TestQueue;
let s: SearchScene;
let api: TestApi;
beforeAll(async () => {
  [q, api] = await Promise.all([openTestQueue(), startTestApi()]);
  s = searchScene(q);
});
afterAll(() => Promise.all([q.close(), api.close()]));

test('a video is found by its title, before those that show the same word, and counted apart from texts', async () => {
  const tenantId = await q.makeTenant();
  const shown = await s.makeVideo(tenantId, ['budget of the year', 'budget'], 'Meeting');
  const titled = await s.makeVideo(tenantId, ['something else'], 'Budget 2026');
  const page = await s.search(tenantId, 'budget ');
  expect(page).toMatchObject({ order: 'relevance', videoCount: 2, hitCount: 2 });
  expect(page.videos).toMatchObject([
    { videoId: titled, hitCount: 0, hits: [], titlePlaces: [1] },
    { videoId: shown, hitCount: 2, titlePlaces: null },
  ]);
  // As with texts: look-alikes, typing errors, beginnings, phrases, exclusions.
  for (const query of ['budgct ', 'bud', '2o26 ', '"budget 2026"', 'budget -year -"budget budget" 2026 '])
    expect((await s.search(tenantId, query)).videos.map(({ videoId }) => videoId)).toContain(titled);
  expect((await s.search(tenantId, 'budget -2026 ')).videos.map(({ videoId }) => videoId)).toEqual([shown]);
});

test('a title follows its video: changed at once, and gone with it', async () => {
  const tenantId = await q.makeTenant();
  const videoId = await s.makeVideo(tenantId, [], 'First name');
  const found = async (query: string) =>
    (await s.search(tenantId, query)).videos.map((video) => video.videoId);
  expect(await found('first ')).toEqual([videoId]);
  await s.as(tenantId, `update millrace.videos set title = 'Second' where id = $1`, [videoId]);
  expect([await found('first '), await found('second ')]).toEqual([[], [videoId]]);
  // Nothing but marks: no word is left.
  await s.as(tenantId, `update millrace.videos set title = '—' where id = $1`, [videoId]);
  expect(await found('second ')).toEqual([]);
  await s.as(tenantId, `update millrace.videos set title = 'Third' where id = $1`, [videoId]);
  await q.superuser.query('delete from millrace.videos where id = $1', [videoId]);
  expect(await found('third ')).toEqual([]);
  const { rows } = await q.superuser.query('select * from millrace.search_words where tenant_id = $1', [
    tenantId,
  ]);
  expect(rows).toEqual([]);
});

test('titles are no texts: filters by time, language and price, a search without words, and facets leave them out', async () => {
  const tenantId = await q.makeTenant();
  const titled = await s.makeVideo(tenantId, [], 'Budget @jane');
  const shown = await s.makeVideo(tenantId, ['budget'], 'other');
  const found = async (query: string, filter: object = {}) =>
    (await s.search(tenantId, { query, filter })).videos.map(({ videoId }) => videoId).toSorted();
  expect(await found('budget ')).toEqual([titled, shown].toSorted());
  expect(await found('budget ', { startMs: 0 })).toEqual([shown]);
  expect(await found('budget ', { endMs: 99_000 })).toEqual([shown]);
  expect(await found('budget ', { languages: ['eng'] })).toEqual([shown]);
  expect(await found('', { languages: ['eng'] })).toEqual([shown]);
  expect(await found('')).toEqual([shown]);
  expect(await found('-nothing ')).toEqual([shown]);
  expect(await found('budget ', { videoIds: [titled] })).toEqual([titled]);
  expect(await found('@jane ')).toEqual([titled]);
  const facets = await s.facets(tenantId, { query: 'budget ' });
  expect(facets).toMatchObject({
    mentions: [],
    languages: [{ value: 'eng', count: 1 }],
    videos: [{ value: shown, count: 1 }],
  });
});

test('titles of other tenants are never found, nor do their words show', async () => {
  const [ours, theirs] = [await q.makeTenant(), await q.makeTenant()];
  await s.makeVideo(theirs, [], 'Secret acquisition');
  await s.makeVideo(ours, ['a line'], 'plain');
  for (const query of ['secret ', 'secre', 'secret acquisition', 'acquisitlon '])
    expect((await s.search(ours, query)).videos).toEqual([]);
  expect((await s.search(theirs, 'secret ')).videos).toHaveLength(1);
});

test('pages of many titles show every video once', async () => {
  const tenantId = await q.makeTenant();
  const videoIds: string[] = [];
  for (let n = 0; n < 15; n++)
    videoIds.push(await s.makeVideo(tenantId, n % 2 === 0 ? ['needle'] : [], `needle ${n}`));
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page = await s.search(tenantId, { query: 'needle ', first: 4, after });
    seen.push(...page.videos.map(({ videoId }) => videoId));
    after = page.hasNextPage ? (page.videos.at(-1)?.cursor ?? null) : null;
  } while (after !== null);
  expect(seen.toSorted()).toEqual(videoIds.toSorted());
});

test('a highlight says that it is the title’s, and where in it', async () => {
  const tenantId = await api.makeTenant();
  const admin = await api.token(tenantId, 'tenant_admin');
  const created = await api.query(
    admin,
    `mutation { createVideo(input: { title: "Die 🔥 Straße — Folge 2" }) { ... on CreateVideoPayload { video { id title } } ... on DomainFailure { message } } }`,
  );
  expect(created).toMatchObject({ errors: [], data: { createVideo: { video: {} } } });
  const { title, id } = created.data.createVideo.video;
  const { data, errors } = await api.query(
    admin,
    '{ searchVideos(query: "strasse folge ") { hitCount edges { node { id } hitCount hits { score } titleHighlights { text startOffset endOffset } } } }',
  );
  expect(errors).toEqual([]);
  const [edge] = data.searchVideos.edges;
  expect(edge).toMatchObject({ node: { id }, hitCount: 0, hits: [] });
  expect(edge.titleHighlights.map(({ text }: { text: string }) => text)).toEqual(['Straße', 'Folge']);
  for (const { text, startOffset, endOffset } of edge.titleHighlights)
    expect(title.slice(startOffset, endOffset)).toBe(text);
});
