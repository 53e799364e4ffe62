import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { preparePgvector } from '../../src/db/migrate/pgvector.ts';
import type { Statement } from '../../src/db/statement.ts';
import { saveLinkVector } from '../../src/domains/links/sql/save-link-vector.ts';
import { codeIndex, openVectorIndex } from '../../src/domains/links/vectors/code-index.ts';
import { signCode } from '../../src/domains/links/vectors/sign-code.ts';
import { cosine, toBytes } from '../../src/domains/links/vectors/vector-bytes.ts';
import type { NearQuery, VectorIndex } from '../../src/domains/links/vectors/vector-index.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// What an index of vectors has to do, whatever it is made of.

const DIMENSIONS = 64;
const COUNT = 3_000;

let q: TestQueue;
let ours: string;
let theirs: string;
const vectors = new Map<string, Float32Array>();

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

beforeAll(async () => {
  q = await openTestQueue();
  [ours, theirs] = [await q.makeTenant(), await q.makeTenant()];
  await q.superuser.query('begin; set local session_replication_role = replica');
  for (const tenantId of [ours, theirs]) {
    const { rows } = await q.superuser.query(
      `insert into millrace.links (tenant_id, url, site_name)
       select $1, 'https://example.com/' || n, case n % 10 when 0 then 'Tenth' else 'Other' end from generate_series(1, $2::integer) n returning id`,
      [tenantId, COUNT],
    );
    const models = rows.map(({ id }, index) => ({ id, vector: numbers(index) }));
    for (const { id, vector } of models) {
      if (tenantId === ours) vectors.set(id, vector);
      await save(tenantId, id, 'a', vector);
    }
    // The same link by another model, as near as can be.
    await save(tenantId, models[0]?.id, 'b', numbers(7_777));
  }
  await q.superuser.query('commit');
}, 60_000);
afterAll(() => q?.close());

function save(tenantId: string, id: string, model: string, vector: Float32Array) {
  return q.superuser.query({
    ...saveLinkVector,
    values: [tenantId, id, model, vector.length, signCode(vector), toBytes(vector)],
  });
}

/** Works with an index as the API's role does. */
async function withIndex<T>(
  work: (index: VectorIndex) => Promise<T>,
  open: (reads: Parameters<typeof codeIndex>[0]) => VectorIndex | Promise<VectorIndex>,
): Promise<T> {
  return await q.db.transaction({ role: 'api', tenantId: ours, readOnly: true }, async (tx) =>
    work(
      await open({
        query: async <Row>(statement: Statement, values: readonly unknown[]) =>
          (await tx.query(statement, values)).rows as Row[],
      }),
    ),
  );
}

const SERVERS = [
  { name: 'by the signs of vectors alone', needs: async () => null, open: codeIndex },
  {
    name: 'by pgvector’s graph',
    needs: async () => ((await preparePgvector(q.url)) === null ? 'the server has no pgvector' : null),
    open: openVectorIndex,
  },
] as const;

describe.each(SERVERS)('the nearest links $name', ({ needs, open }) => {
  const query = (vector: Float32Array, more: Partial<NearQuery> = {}): NearQuery => ({
    tenantId: ours,
    model: 'a',
    vector,
    limit: 10,
    conditions: {},
    ...more,
  });
  const nearest = (asked: NearQuery) => withIndex((index) => index.nearest(asked), open);

  test('are those that are truly nearest, with their cosines, of one tenant and one model', async ({
    skip,
  }) => {
    const missing = await needs();
    skip(missing !== null, String(missing));
    let found = 0;
    for (let asked = 0; asked < 20; asked++) {
      const vector = numbers(50_000 + asked);
      const exact = [...vectors]
        .map(([linkId, each]) => ({ linkId, similarity: cosine(vector, each) }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      const near = await nearest(query(vector));
      expect(near).toHaveLength(10);
      for (const { linkId, similarity } of near)
        expect(similarity).toBeCloseTo(cosine(vector, vectors.get(linkId) as Float32Array), 5);
      expect(near.map(({ similarity }) => similarity)).toEqual(
        near.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
      );
      found += near.filter(({ linkId }) => exact.some((one) => one.linkId === linkId)).length;
    }
    // Random vectors have no neighbours that stand out, as those of texts do: this is the hardest case.
    expect(found / 200).toBeGreaterThanOrEqual(0.97);
    const [itself] = await nearest(query(numbers(123)));
    expect(itself?.similarity).toBeCloseTo(1, 5);
  });

  test('of another model are that model’s', async ({ skip }) => {
    const missing = await needs();
    skip(missing !== null, String(missing));
    const near = await nearest(query(numbers(7_777), { model: 'b' }));
    expect(near).toHaveLength(1);
    expect(await nearest(query(numbers(7_777), { model: 'c' }))).toEqual([]);
  });

  test('that match a filter are found however many others are nearer', async ({ skip }) => {
    const missing = await needs();
    skip(missing !== null, String(missing));
    const near = await nearest(query(numbers(1), { conditions: { site: 'Tenth' }, limit: 100 }));
    expect(near).toHaveLength(100);
    const { rows } = await q.superuser.query(
      'select count(*)::int from millrace.links where id = any($1) and site_name = $2',
      [near.map(({ linkId }) => linkId), 'Tenth'],
    );
    expect(rows).toEqual([{ count: 100 }]);
  });
});
