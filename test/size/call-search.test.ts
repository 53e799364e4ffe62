import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchCallsPage } from '../../src/domains/calls/sql/search-calls-page.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { connectSuperuser } from '../support/superuser.ts';

// A search of calls reads turns of its tenant by the index of words, and nothing of others, whatever the
// statistics say.

const CALLS = 400;
const TURNS = 50;
let database: TestDatabase;
let superuser: Awaited<ReturnType<typeof connectSuperuser>>;
let small: string;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = await connectSuperuser(database.url);
  const { rows } = await superuser.query(
    `insert into millrace.tenants (slug, name) values ('small', 'S'), ('large', 'L') returning id`,
  );
  small = rows[0].id;
  // Both said the same words; one of two hundred calls is the small tenant's.
  await superuser.query(
    `set session_replication_role = replica;
     create temp table said as select n, uuidv7() as id, case when n % 200 = 0 then '${small}'::uuid else '${rows[1].id}'::uuid end as tenant_id
     from generate_series(1, ${CALLS}) n`,
  );
  await superuser.query(
    `insert into millrace.call_turns (call_id, tenant_id, position, speaker, start_ms, end_ms, text, tsv)
     select s.id, s.tenant_id, p, 0, p * 1000, p * 1000 + 900, 'water wheel',
            (millrace.search_lexeme(millrace.search_mark(s.tenant_id), 'water') || ':1 '
             || millrace.search_lexeme(millrace.search_mark(s.tenant_id), 'wheel') || ':2')::tsvector
     from said s, generate_series(1, ${TURNS}) p`,
  );
});
afterAll(async () => {
  await superuser?.end();
  await database?.drop();
});

async function turnsRead(): Promise<number> {
  await superuser.query('select pg_stat_force_next_flush()');
  const { rows } = await superuser.query(
    `select seq_tup_read::int + idx_tup_fetch::int as rows from pg_stat_user_tables where relname = 'call_turns'`,
  );
  return rows[0].rows;
}

test.each([
  ['statistics of an empty table', ''],
  ['fresh statistics', 'vacuum analyze millrace.call_turns'],
])('a search of calls reads no turn of another tenant, with %s', async (_name, before) => {
  if (before !== '') await superuser.query(before);
  const earlier = await turnsRead();
  const client = await connectSuperuser(database.url);
  try {
    await client.query(
      `select set_config('role', 'millrace_api', false), set_config('millrace.tenant_id', $1, false)`,
      [small],
    );
    const groups = [{ kind: 'word', text: 'water', prefix: false, isExcluded: false }];
    const values = [JSON.stringify(groups), null, 1_000, null, null, null];
    const { rows } = await client.query(searchCallsPage.text, values);
    expect(rows).toHaveLength((CALLS / 200) * TURNS);
    await client.query('reset role; select pg_stat_force_next_flush()');
  } finally {
    await client.end();
  }
  expect((await turnsRead()) - earlier).toBeLessThanOrEqual((CALLS / 200) * TURNS * 2);
});
