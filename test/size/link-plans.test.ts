import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteLinkRow } from '../../src/domains/links/sql/delete-link-row.ts';
import { findLinkVector } from '../../src/domains/links/sql/find-link-vector.ts';
import { findLinksByWords } from '../../src/domains/links/sql/find-links-by-words.ts';
import { findNearLinks } from '../../src/domains/links/sql/find-near-links.ts';
import { codeWeights, signCode } from '../../src/domains/links/vectors/sign-code.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { faultsOf, planOf } from '../support/plans.ts';
import { connectSuperuser } from '../support/superuser.ts';

// A search by meaning reads the codes of its tenant and model, and nothing of others, whatever the statistics
// say.

const COUNT = 40_000;
const MODEL = 'a-model';
let database: TestDatabase;
let superuser: Awaited<ReturnType<typeof connectSuperuser>>;
let large: string;
let small: string;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = await connectSuperuser(database.url);
  const { rows } = await superuser.query(
    `insert into millrace.tenants (slug, name) select 'fill-' || n, 'Fill' from generate_series(1, 200) n returning id`,
  );
  [large, small] = [rows[0].id, rows[7].id];
  await superuser.query(
    `alter table millrace.links set (autovacuum_enabled = off); alter table millrace.link_vectors set (autovacuum_enabled = off);
     alter table millrace.link_texts set (autovacuum_enabled = off);
     create temp table filled as select row_number() over () as n, id from millrace.tenants where name = 'Fill';
     set session_replication_role = replica`,
  );
  // Half of them are one tenant's; each has vectors of two models.
  const fill = (count: number) =>
    superuser.query(
      `with made as (
         insert into millrace.links (tenant_id, url)
         select t.id, 'https://example.com/' || k from generate_series(1, $1::integer) k
         join filled t on t.n = case when k % 2 = 0 then 1 else 2 + k / 2 % 199 end returning id, tenant_id
       ), texts as (
         insert into millrace.link_texts (link_id, tenant_id, text, words)
         select id, tenant_id, 'talk', to_tsvector('english', 'talk') || array_to_tsvector(array['tenant:' || tenant_id::text]) from made
       )
       insert into millrace.link_vectors (tenant_id, link_id, model, dimensions, code, vector)
       select m.tenant_id, m.id, model, 1, repeat(hashtext(m.id::text)::bit(32)::text, 32)::bit(1024), '\\x0000803f'
       from made m, unnest(array[$2, 'another']) model`,
      [count, MODEL],
    );
  await fill(300);
  await superuser.query('analyze millrace.links, millrace.link_vectors, millrace.link_texts');
  await superuser.query(
    'delete from millrace.link_vectors; delete from millrace.link_texts; delete from millrace.links',
  );
  await fill(COUNT);
});
afterAll(async () => {
  await superuser?.end();
  await database?.drop();
});

const vector = Float32Array.from({ length: 512 }, (_, index) => Math.sin(index));
const { planes, offset } = codeWeights(vector);
const FILTERS: Readonly<Record<string, readonly unknown[]>> = {
  'of all': [false, null, null, null, null, null],
  'of a site': [true, 'example.com', null, null, null, null],
  'of a time': [true, null, 'en', 'article', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
};

describe.each([
  ['statistics of when there were 300 links', ''],
  ['fresh statistics', 'vacuum analyze millrace.links, millrace.link_vectors, millrace.link_texts'],
])('with %s', (_name, before) => {
  beforeAll(async () => {
    if (before !== '') await superuser.query(before);
  });

  test.each(Object.entries(FILTERS))(
    'the nearest links are found by the codes of the tenant and the model, %s',
    async (_case, filter) => {
      for (const tenantId of [large, small])
        for (const kind of ['custom', 'generic'] as const) {
          const values = [tenantId, MODEL, signCode(vector), 2_000, 300, ...planes, offset, ...filter];
          const plan = await planOf(
            database.url,
            { statement: findNearLinks, values },
            'api',
            tenantId,
            kind,
          );
          expect(faultsOf(plan)).toEqual([]);
          const text = JSON.stringify(plan);
          expect(text).toMatch(/"Index Cond":"\(\(tenant_id = [^"]+ AND \(model = [^"]+\)\)"/);
          if (before !== '') expect(text).toContain('"Node Type":"Index Only Scan"');
        }
    },
  );

  test('links with words are found by the index of words, and read no other tenant’s texts', async () => {
    const read = async () => {
      await superuser.query('select pg_stat_force_next_flush()');
      const { rows } = await superuser.query(
        `select seq_scan::int as scans, seq_tup_read::int + idx_tup_fetch::int as rows from pg_stat_user_tables where relname = 'link_texts'`,
      );
      return rows[0];
    };
    const earlier = await read();
    const client = await connectSuperuser(database.url);
    await client.query(
      `select set_config('role', 'millrace_api', false), set_config('millrace.tenant_id', $1, false)`,
      [small],
    );
    const { rows } = await client.query(findLinksByWords.text, [
      'talk',
      500,
      100,
      ...(FILTERS['of all'] ?? []),
    ]);
    expect(rows).toHaveLength(100);
    await client.query('reset role; select pg_stat_force_next_flush()');
    await client.end();
    const later = await read();
    expect(later.scans).toBe(earlier.scans);
    expect(later.rows - earlier.rows).toBeLessThan(1_000);
  });

  test('the vector of one link, and its end, likewise', async () => {
    const id = '01920000-0000-7000-8000-000000000000';
    for (const tenantId of [large, small]) {
      for (const one of [
        { statement: findLinkVector, values: [tenantId, id] },
        { statement: deleteLinkRow, values: [tenantId, id] },
      ])
        expect(faultsOf(await planOf(database.url, one, 'api', tenantId, 'custom'))).toEqual([]);
    }
  });
});

test('what belongs to a link that is deleted is found by it', async () => {
  const { rows } = await superuser
    .query(
      `set enable_seqscan = off; explain (format json) delete from millrace.link_vectors where link_id = '01920000-0000-7000-8000-000000000000'`,
    )
    .then((results) => (results as unknown as (typeof results)[])[1] as typeof results);
  expect(JSON.stringify(rows)).toContain('link_vectors_link_idx');
});
