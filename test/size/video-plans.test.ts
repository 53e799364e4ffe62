import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findListedVideos, type VideoConditions } from '../../src/domains/videos/sql/find-listed-videos.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { faultsOf, planOf } from '../support/plans.ts';
import { connectSuperuser } from '../support/superuser.ts';

// A page of videos reads the tenant’s, or the owner’s, in their order: no table whole, no other tenant’s
// videos.

const COUNT = 200_000;
let database: TestDatabase;
let large: string;
let small: string;
let superuser: Awaited<ReturnType<typeof connectSuperuser>>;

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = await connectSuperuser(database.url);
  await superuser.query('alter table millrace.videos set (autovacuum_enabled = off)');
  const { rows } = await superuser.query(
    `insert into millrace.tenants (slug, name) select 'fill-' || n, 'Fill' from generate_series(1, 100) n returning id`,
  );
  [large, small] = [rows[0].id, rows[7].id];
  await superuser.query(
    'create temp table filled as select row_number() over () as n, id from millrace.tenants where name = $1',
    ['Fill'],
  );
  const fill = (count: number) =>
    superuser.query(
      `insert into millrace.videos (id, tenant_id, owner_id, title, status, original_key)
       select uuidv7(-make_interval(secs => $1::integer - k)), t.id, 'user:u' || k % 50, 'Talk ' || k, 'ready', 'k' || k
       from generate_series(1, $1::integer) k join filled t on t.n = case when k % 2 = 0 then 1 else 2 + k / 2 % 99 end`,
      [count],
    );
  await superuser.query('set session_replication_role = replica');
  await fill(300);
  await superuser.query('analyze millrace.videos');
  await superuser.query('delete from millrace.videos');
  await fill(COUNT);
  large = (await superuser.query('select id from filled where n = 1')).rows[0].id;
  small = (await superuser.query('select id from filled where n = 50')).rows[0].id;
});
afterAll(async () => {
  await superuser.end();
  await database.drop();
});

const ANY: Omit<VideoConditions, 'tenantId'> = {
  direction: 'desc',
  idBounds: [],
  ownerId: null,
  teamId: null,
  statuses: null,
  title: null,
};
const LISTS: Readonly<Record<string, Partial<VideoConditions>>> = {
  all: {},
  'oldest first': { direction: 'asc' },
  'by title': { title: 'talk 1' },
  'of an owner': { ownerId: 'user:nobody' },
  'of an owner, by title': { ownerId: 'user:u1', title: 'talk' },
  'by status': { statuses: ['failed'] },
  'made then': {
    idBounds: [
      { operator: '>=', id: '01920000-0000-7000-8000-000000000000' },
      { operator: '<', id: '01a20000-0000-7000-8000-000000000000' },
    ],
  },
};

describe.each([
  ['statistics of when there were 300 videos', ''],
  ['fresh statistics', 'analyze millrace.videos'],
])('with %s', (_name, before) => {
  beforeAll(async () => {
    if (before !== '') await superuser.query(before);
  });

  test.each(Object.entries(LISTS))('a page of videos is read by an index: %s', async (_case, asked) => {
    for (const tenantId of [large, small]) {
      const one = findListedVideos({ ...ANY, tenantId, ...asked }, { take: 51, budget: 5_000 });
      const plan = await planOf(database.url, one, 'api', tenantId, 'custom');
      expect(faultsOf(plan)).toEqual([]);
      if (asked.ownerId !== undefined) expect(JSON.stringify(plan)).toContain('videos_owner_idx');
    }
  });
});
