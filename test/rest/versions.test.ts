import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RestRoute } from '../../src/rest/route.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { restClient } from '../support/rest.ts';
import { checkedClient } from '../support/rest-contract.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';
import { allRoutes, filled, makeWorld, pathOf, type World } from './world.ts';

let api: TestApi;
let world: World;
let routes: readonly RestRoute[];

beforeAll(async () => {
  api = await startTestApi({
    env: { MILLRACE_CALLER_COST_PER_SECOND: '0', MILLRACE_TENANT_COST_PER_SECOND: '0' },
  });
  [world, routes] = [await makeWorld(api), await allRoutes()];
});
afterAll(() => api?.close());

/** What can be changed: its table, and the path parameter that names it. */
const TABLES: Readonly<Record<string, string>> = {
  job_id: 'jobs',
  definition_id: 'job_definitions',
  trigger_id: 'triggers',
  tenant_id: 'tenants',
  video_id: 'videos',
  call_id: 'calls',
  clip_id: 'clips',
  link_id: 'links',
  endpoint_id: 'webhook_endpoints',
  source_id: 'webhook_sources',
};

const changing = (method: 'PATCH' | 'DELETE') =>
  routes.filter((route) => route.method === method && route.takesIfMatch === true);
const placeOf = (route: RestRoute): { readonly table: string; readonly id: string } => {
  const [[name, value] = ['', '']] = Object.entries(filled(route.example.params ?? {}, world.ids));
  return { table: `millrace.${TABLES[name]}`, id: String(value) };
};
const restFor = ({ need }: RestRoute) =>
  checkedClient(api.url, need?.role === 'super_admin' ? world.superAdmin : world.admin);

/**
 * The ETag of what the route changes; definitions have no route of their own to read one: its first change
 * gives it.
 */
async function etagOf(route: RestRoute): Promise<string> {
  const path = pathOf(route, world.ids);
  const hasRead = routes.some(({ method, path: other }) => method === 'GET' && other === route.path);
  const answer = hasRead
    ? await restFor(route).get(path)
    : await restFor(route).send('PATCH', path, filled(route.example.body, world.ids));
  const etag = answer.headers.get('etag');
  if (etag === null) throw new Error(`${path} has no ETag`);
  return etag;
}

/** Two requests that both have begun before either may change the row. */
async function atOnce(
  { table, id }: { readonly table: string; readonly id: string },
  requests: readonly (() => Promise<{ readonly status: number }>)[],
): Promise<readonly number[]> {
  const holder = await connectSuperuser(api.databaseUrl);
  try {
    await holder.query('begin');
    await holder.query(`select from ${table} where id = $1 for update`, [id]);
    const answers = requests.map((request) => request());
    await waitFor(
      async () =>
        (
          await api.superuser.query(
            `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).rows[0].n >= requests.length,
      { describe: () => `${requests.length} requests to wait for a row of ${table}` },
    );
    await holder.query('commit');
    return (await Promise.all(answers)).map(({ status }) => status).sort();
  } finally {
    await holder.end();
  }
}

describe('If-Match', () => {
  test('is taken by every route that changes or deletes something that has a version', () => {
    const without = routes
      .filter(({ method, takesIfMatch }) => ['PATCH', 'DELETE'].includes(method) && takesIfMatch !== true)
      .map(({ operationId }) => operationId);
    // What becomes of a tenant takes days, whatever its version.
    expect(without).toEqual(['deleteTenant']);
  });

  test('lets exactly one of two changes to one version through, for everything that can be changed', async () => {
    const done: string[] = [];
    for (const route of changing('PATCH')) {
      const etag = await etagOf(route);
      const path = pathOf(route, world.ids);
      const change = () =>
        restFor(route).send('PATCH', path, filled(changeOf(route), world.ids), { 'if-match': etag });
      expect(await atOnce(placeOf(route), [change, change]), route.path).toEqual([200, 412]);
      done.push(route.path);
    }
    expect(done.length).toBeGreaterThanOrEqual(7);
  });

  test('refuses to delete a version that is not the one of today, and deletes the one that is', async () => {
    for (const route of changing('DELETE')) {
      const { table, id } = placeOf(route);
      const etag = await etagOf(route);
      const path = pathOf(route, world.ids);
      const remove = (tag: string) => restFor(route).send('DELETE', path, undefined, { 'if-match': tag });
      const stale = await remove('"0", W/"1"');
      expect([stale.status, stale.body.code, stale.body.allowed], path).toEqual([
        412,
        'PRECONDITION_FAILED',
        etag,
      ]);
      const { rows } = await api.superuser.query(`select count(*)::int as n from ${table} where id = $1`, [
        id,
      ]);
      expect(rows[0].n, path).toBe(1);
      expect(await atOnce({ table, id }, [() => remove(etag), () => remove(etag)]), path).toEqual([204, 404]);
    }
  });

  test('is anything that is there, as *', async () => {
    const rest = restClient(api.url, world.admin);
    const answer = await rest.send(
      'PATCH',
      `/jobs/${world.ids['job_id']}`,
      { priority: 7 },
      { 'if-match': '*' },
    );
    expect(answer.status).toBe(200);
  });
});

/** A change that gives a new version even where the example was made before. */
function changeOf({ path, example }: RestRoute): unknown {
  if (path.includes('definitions')) return { max_attempts: 7 };
  if (path.includes('tenants')) return { weight: 5 };
  return example.body;
}
