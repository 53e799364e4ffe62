import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { type SearchScene, searchScene } from './scene.ts';

let q: TestQueue;
let s: SearchScene;
let ours: string;
let theirs: string;
let [first, second] = ['', ''];

const LINES = [
  'Invoice total 1299',
  'Total of the invoice',
  'invoices and receipts',
  'the projector of the project',
  'lnvoice, as it was read',
  'modern art in Straße 5',
  'visit https://shop.example.com/path today',
  'Hello @jane_doe #Launch',
  'don’t stop 東京 🔥',
];

beforeAll(async () => {
  q = await openTestQueue();
  s = searchScene(q);
  [ours, theirs] = [await q.makeTenant(), await q.makeTenant()];
  first = await s.makeVideo(ours, LINES);
  second = await s.makeVideo(ours, [{ text: 'camera on', tStart: 60_000, language: 'deu' }, 'keyboard']);
  await s.makeVideo(theirs, [...LINES, 'camera', 'theirs alone']);
  const entity = `insert into millrace.entities (tenant_id, video_id, segment_id, entity_type, subtype, value, normalized_value, domain, amount, currency)
    select tenant_id, video_id, id, $2, $3, $4, $4, $5, $6, $7 from millrace.segments where text like $1`;
  await s.as(ours, entity, ['Invoice total%', 'number', 'price', '1299', null, 1299, 'EUR']);
  await s.as(ours, entity, ['visit%', 'url', null, 'shop.example.com/path', 'example.com', null, null]);
  await s.refresh(ours);
});
afterAll(() => q.close());

describe('a query', () => {
  it.each<readonly [string, readonly number[]]>([
    ['invoice total ', [0, 1]],
    ['"invoice total"', [0]],
    ['"total of the invoice', [1]],
    ['proj*', [3]],
    ['projecto', [3]],
    ['invoice -total', [2, 4]],
    ['total -"invoice total"', [1]],
    ['STRASSE', [5]],
    ['modem ', [5]],
    ['m0dern', [5]],
    ['example.com', [6]],
    ['path', [6]],
    ['@jane_doe', [7]],
    ['#launch', [7]],
    ['jane', [7]],
    ['don’t', [8]],
    ['東京', [8]],
    ['🔥', [8]],
    ['nothing-like-it-anywhere', []],
    ['?!', []],
    ['"', [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  ])('%s', async (query, expected) => {
    const found = await s.texts(ours, { query, filter: { videoIds: [first] }, hitsPerVideo: 50 });
    expect(found.toSorted()).toEqual(expected.map((index) => LINES[index]).toSorted());
  });

  it('sorts what was meant before what looks like it, beginnings and typing errors', async () => {
    const found = await s.texts(ours, { query: 'invoice', hitsPerVideo: 50 });
    expect(found.slice(0, 2).toSorted()).toEqual([LINES[0], LINES[1]]);
    expect(found.slice(2).toSorted()).toEqual([LINES[2], LINES[4]].toSorted());
    // Side by side before apart.
    expect((await s.texts(ours, 'invoice total '))[0]).toBe(LINES[0]);
    // More words and more confidence.
    const other = await q.makeTenant();
    await s.makeVideo(other, [
      { text: 'budgct', confidence: 1 },
      { text: 'budget', confidence: 0.6 },
      { text: 'budget', confidence: 0.9 },
      { text: 'budgets', confidence: 1 },
    ]);
    expect(await s.texts(other, { query: 'budget', hitsPerVideo: 9 })).toEqual([
      'budget',
      'budget',
      'budgets',
      'budgct',
    ]);
  });

  it('finds a word of six letters whatever letter of it is wrong, missing, too many or swapped', async () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
    const edit = fc.oneof(
      fc.tuple(fc.nat(5), letter).map(([at, by]) => `camera`.slice(0, at) + by + `camera`.slice(at + 1)),
      fc.nat(5).map((at) => `camera`.slice(0, at) + `camera`.slice(at + 1)),
      fc.tuple(fc.nat(6), letter).map(([at, by]) => `camera`.slice(0, at) + by + `camera`.slice(at)),
      fc.nat(4).map((at) => {
        const [left, right] = [`camera`.charAt(at), `camera`.charAt(at + 1)];
        return `camera`.slice(0, at) + right + left + `camera`.slice(at + 2);
      }),
    );
    await fc.assert(
      fc.asyncProperty(edit, async (query) => {
        expect(await s.texts(ours, { query: `${query} ` })).toContain('camera on');
      }),
      { numRuns: 60 },
    );
  });

  it('takes filters, alone and with words', async () => {
    const found = (filter: object, query = '') => s.texts(ours, { query, filter, hitsPerVideo: 50 });
    expect(await found({ mentions: ['@Jane_Doe'] })).toEqual([LINES[7]]);
    expect(await found({ mentions: ['nobody'] })).toEqual([]);
    expect(await found({ hashtags: ['launch'], mentions: ['jane_doe'] })).toEqual([LINES[7]]);
    expect(await found({ domains: ['https://www.example.com/'] })).toEqual([LINES[6]]);
    expect(await found({ domains: ['shop.example.com', 'elsewhere.org'] })).toEqual([LINES[6]]);
    expect(await found({ domains: ['example.com'] }, 'keyboard')).toEqual([]);
    expect(await found({ kinds: ['url'] })).toEqual([LINES[6]]);
    expect((await found({ kinds: ['url', 'price'] })).sort()).toEqual([LINES[0], LINES[6]]);
    expect(await found({ kinds: ['phone'] })).toEqual([]);
    expect(await found({ price: { min: 1000, max: 1299, currency: 'eur' } })).toEqual([LINES[0]]);
    expect(await found({ price: { min: 1299.01 } })).toEqual([]);
    expect(await found({ price: { max: 2000, currency: 'USD' } })).toEqual([]);
    expect(await found({ languages: ['deu'] })).toEqual(['camera on']);
    expect(await found({ startMs: 30_000 })).toEqual(['camera on']);
    expect(await found({ videoIds: [second], endMs: 30_000 })).toEqual(['keyboard']);
    expect(await found({ videoIds: [second] }, 'invoice')).toEqual([]);
    expect(await found({ createdAfter: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await found({ createdBefore: new Date(Date.now() + 60_000) }, 'keyboard')).toEqual(['keyboard']);
  });

  it('finds exactly the prices of a range, wherever it ends', async () => {
    const tenantId = await q.makeTenant();
    const prices = [0, 0.005, 0.01, 0.99, 1, 19.99, 20, 22.5, 25, 27, 29.99, 30, 36.6, 999.99, 1e6, 2e9];
    await s.makeVideo(
      tenantId,
      prices.map((price) => `costs ${price}`),
    );
    await s.as(
      tenantId,
      `insert into millrace.entities (tenant_id, video_id, segment_id, entity_type, subtype, value, normalized_value, amount, currency)
       select tenant_id, video_id, id, 'number', 'price', text, text, substr(text, 7)::numeric, 'USD' from millrace.segments where tenant_id = $1`,
      [tenantId],
    );
    await s.refresh(tenantId);
    const ranges = [
      [0, 1],
      [0.01, 0.99],
      [20, 30],
      [19.99, 29.99],
      [20.01, 29.98],
      [null, 25],
      [25, null],
      [1e6, 1e9],
      [null, null],
    ] as const;
    for (const [min, max] of ranges) {
      const found = await s.texts(tenantId, {
        filter: { price: { min, max, currency: 'USD' } },
        hitsPerVideo: 50,
      });
      const expected = prices.filter((price) => price >= (min ?? 0) && price <= (max ?? Infinity));
      expect(found.toSorted()).toEqual(expected.map((price) => `costs ${price}`).toSorted());
    }
  });

  it('says which words matched, and counts what it found', async () => {
    const page = await s.search(ours, { query: 'invoice total ', hitsPerVideo: 1 });
    expect(page).toMatchObject({ order: 'relevance', videoCount: 1, hitCount: 2 });
    expect(page.videos).toMatchObject([{ videoId: first, hitCount: 2, hits: [{ places: [1, 2] }] }]);
    const prefix = await s.search(ours, 'proj*');
    expect(prefix.videos[0]?.hits[0]?.places).toEqual([2, 5]);
  });

  it('counts what it found by entity, language and video', async () => {
    const facets = await s.facets(ours, { query: 'hello' });
    expect(facets).toMatchObject({
      isComplete: true,
      mentions: [{ value: 'jane_doe', count: 1 }],
      hashtags: [{ value: 'launch', count: 1 }],
      languages: [{ value: 'eng', count: 1 }],
      videos: [{ value: first, count: 1 }],
    });
    expect((await s.facets(ours, { query: 'visit' })).domains).toEqual([
      { value: 'example.com', count: 1 },
      { value: 'shop.example.com', count: 1 },
    ]);
    expect((await s.facets(ours, {})).languages).toEqual([
      { value: 'eng', count: 10 },
      { value: 'deu', count: 1 },
    ]);
  });

  it('sees one tenant’s words only', async () => {
    expect(await s.texts(ours, 'theirs')).toEqual([]);
    expect(await s.texts(theirs, 'theirs')).toEqual(['theirs alone']);
    expect(await s.texts(theirs, { filter: { videoIds: [first] } })).toEqual([]);
    const { videos } = await s.search(theirs, 'invoice');
    expect(videos.map(({ videoId }) => videoId)).not.toContain(first);
    // Nor does its vocabulary show: a word of theirs makes no guess of ours.
    expect(await s.texts(ours, 'theirz ')).toEqual([]);
    await expect(
      q.db.transaction({ role: 'api' }, (tx) => tx.client.query(`select millrace.search_videos_page('{}')`)),
    ).rejects.toMatchObject({ code: '22023' });
    await expect(s.as(ours, 'select from millrace.search_words')).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    [{ query: 'x'.repeat(201) }, 'query'],
    [{ query: 'a\0b' }, 'query'],
    [{ query: 'a '.repeat(17) }, 'query'],
    [{ query: 'a', after: 'nonsense' }, 'after'],
    [{ query: 'a', first: 101 }, 'first'],
    [{ query: 'a', hitsPerVideo: 0 }, 'hitsPerVideo'],
    [{ filter: { price: { min: 2, max: 1 } } }, 'filter.price.min'],
    [{ filter: { price: { currency: 'euro' } } }, 'filter.price.currency'],
    [{ filter: { startMs: -1 } }, 'filter.startMs'],
    [{ filter: { mentions: ['x'.repeat(101)] } }, 'filter.mentions[0]'],
  ])('%j is refused by name', async (args, field) => {
    await expect(s.search(ours, args)).rejects.toMatchObject({
      code: 'InvalidArgument',
      details: { field, allowed: expect.any(String) },
    });
  });

  it('takes whatever somebody types', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'ab\'"\\:*&|!<>()-@# %_.,东é\n'), maxLength: 24 }),
        async (query) => {
          const parts = query.split(/\s+/).length;
          if (parts <= 10) await s.search(ours, { query });
        },
      ),
      { numRuns: 150 },
    );
  });
});
