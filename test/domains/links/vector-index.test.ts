import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preparePgvector } from '../../../src/db/migrate/pgvector.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { findNearLinksByGraph } from '../../../src/domains/links/sql/find-near-links-by-graph.ts';
import { saveLinkVector } from '../../../src/domains/links/sql/save-link-vector.ts';
import { openVectorIndex } from '../../../src/domains/links/vectors/code-index.ts';
import { codeWeights, signCode } from '../../../src/domains/links/vectors/sign-code.ts';
import { cosine, toBytes } from '../../../src/domains/links/vectors/vector-bytes.ts';
import type { NearLink, NearQuery } from '../../../src/domains/links/vectors/vector-index.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startVectorServer } from '../../support/vector-server.ts';

// What an index of vectors has to do, whatever it is made of: on a Postgres without pgvector, and on one that
// has it.

const DIMENSIONS = 64;
const COUNT = 2_000;

/** Numbers that look random and are the same each time. */
function numbers(seed: number): Float32Array {
  let state = seed * 2_654_435_761 + 1;
  const vector = Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

const plain = async () => {
  const { url, drop } = await createTestDatabase();
  return { url, close: drop };
};

describe.each([
  { name: 'of a server without pgvector', start: plain, expected: null, settings: {} },
  {
    name: 'of a server with pgvector',
    start: startVectorServer,
    expected: 'the graph of links was made',
    // So few would be sorted in no time: the graph is to be read.
    settings: { enable_sort: 'off' },
  },
])('the nearest links $name', ({ start, expected, settings }) => {
  let server: Awaited<ReturnType<typeof start>>;
  let client: pg.Client;
  let ours: string;
  const vectors = new Map<string, Float32Array>();

  beforeAll(async () => {
    server = await start();
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query('set session_replication_role = replica');
    for (const slug of ['ours', 'theirs']) {
      const { rows: tenants } = await client.query(
        'insert into millrace.tenants (slug, name) values ($1, $1) returning id',
        [slug],
      );
      const tenantId: string = tenants[0].id;
      if (slug === 'ours') ours = tenantId;
      const { rows } = await client.query(
        `insert into millrace.links (tenant_id, url, site_name)
         select $1, 'https://example.com/' || n, case n % 10 when 0 then 'Tenth' else 'Other' end from generate_series(1, $2::integer) n returning id`,
        [tenantId, COUNT],
      );
      const save = (id: string, model: string, vector: Float32Array) =>
        client.query({
          text: saveLinkVector.text,
          values: [tenantId, id, model, vector.length, signCode(vector), toBytes(vector)],
        });
      for (const [index, { id }] of rows.entries()) {
        const vector = numbers(index);
        if (slug === 'ours') vectors.set(id, vector);
        await save(id, 'a', vector);
      }
      // The same link by another model, as near as can be.
      await save(rows[0].id, 'b', numbers(7_777));
    }
    await client.query('set session_replication_role = origin');
    expect(await preparePgvector(server.url)).toBe(expected);
    await client.query('analyze millrace.links, millrace.link_vectors');
  });
  afterAll(async () => {
    await client?.end();
    await server?.close();
  });

  /** As the API asks, in a transaction of its role. */
  async function asApi<T>(
    work: (query: <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>) => Promise<T>,
  ): Promise<T> {
    await client.query('begin read only');
    try {
      const all = { role: 'millrace_api', 'millrace.tenant_id': ours, enable_seqscan: 'off', ...settings };
      for (const [name, value] of Object.entries(all))
        await client.query('select set_config($1, $2, true)', [name, value]);
      return await work(async <Row>({ text }: Statement, values: readonly unknown[]) => {
        return (await client.query(text, [...values])).rows as Row[];
      });
    } finally {
      await client.query('rollback');
    }
  }

  const nearest = (vector: Float32Array, more: Partial<NearQuery> = {}): Promise<readonly NearLink[]> =>
    asApi(async (query) =>
      (await openVectorIndex({ query })).nearest({
        tenantId: ours,
        model: 'a',
        vector,
        limit: 10,
        conditions: {},
        ...more,
      }),
    );

  test('are those that are truly nearest, with their cosines, of one tenant and one model', async () => {
    let found = 0;
    for (let asked = 0; asked < 20; asked++) {
      const vector = numbers(50_000 + asked);
      const exact = [...vectors]
        .map(([linkId, each]) => ({ linkId, similarity: cosine(vector, each) }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      const near = await nearest(vector);
      expect(near).toHaveLength(10);
      for (const { linkId, similarity } of near)
        expect(similarity).toBeCloseTo(cosine(vector, vectors.get(linkId) as Float32Array), 5);
      const measured = near.map(({ similarity }) => similarity);
      expect(measured).toEqual(measured.toSorted((a, b) => b - a));
      found += near.filter(({ linkId }) => exact.some((one) => one.linkId === linkId)).length;
    }
    // Random vectors have no neighbours that stand out, as those of texts do: this is the hardest case.
    expect(found / 200).toBeGreaterThanOrEqual(0.97);
    const [itself] = await nearest(numbers(123));
    expect(itself?.similarity).toBeCloseTo(1, 5);
  });

  test('of another model are that model’s', async () => {
    expect(await nearest(numbers(7_777), { model: 'b' })).toHaveLength(1);
    expect(await nearest(numbers(7_777), { model: 'c' })).toEqual([]);
  });

  test('that match a filter are found however many others are nearer', async () => {
    const near = await nearest(numbers(1), { conditions: { site: 'Tenth' }, limit: 100 });
    expect(near).toHaveLength(100);
    const { rows } = await client.query(
      'select count(*)::int from millrace.links where id = any($1) and site_name = $2',
      [near.map(({ linkId }) => linkId), 'Tenth'],
    );
    expect(rows).toEqual([{ count: 100 }]);
  });

  if (expected === null) return;
  test('are read from the graph', async () => {
    const { planes, offset } = codeWeights(numbers(1));
    const values = [
      ours,
      'a',
      signCode(numbers(1)),
      1_000,
      300,
      ...planes,
      offset,
      false,
      ...Array(5).fill(null),
    ];
    const { name, text } = findNearLinksByGraph('public');
    const plan = await asApi((query) => query({ name, text: `explain ${text}` }, values));
    expect(JSON.stringify(plan)).toContain('link_vectors_graph_idx');
    expect(await preparePgvector(server.url)).toBe('the graph of links is there');
  });
});
