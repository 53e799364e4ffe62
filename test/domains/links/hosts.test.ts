import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkHostsDuty } from '../../../src/domains/links/duties/prune-link-hosts.ts';
import { createHostStore } from '../../../src/domains/links/stores/host-store.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
afterAll(() => q?.close());

test('turns at a host are as far apart as asked, for all workers together, and one that is too far away is not taken', async () => {
  const hosts = createHostStore(q.db);
  const turns = await Promise.all(
    Array.from({ length: 6 }, () => hosts.takeTurn('https://one.example', 60_000, 180_000)),
  );
  const taken = turns.filter(({ isTaken }) => isTaken).map(({ waitMs }) => Math.round(waitMs / 60_000));
  expect(taken.sort()).toEqual([0, 1, 2, 3]);
  const refused = turns.filter(({ isTaken }) => !isTaken);
  expect(refused).toHaveLength(2);
  for (const { waitMs } of refused) expect(Math.round(waitMs / 60_000)).toBe(4);
  expect(await hosts.takeTurn('https://two.example', 60_000, 0)).toEqual({ isTaken: true, waitMs: 0 });
});

test('a robots.txt is read once a day, also where there is none', async () => {
  const hosts = createHostStore(q.db);
  expect(await hosts.findRobots('https://three.example')).toBeUndefined();
  await hosts.saveRobots('https://three.example', 'User-agent: *');
  await hosts.saveRobots('https://four.example', null);
  expect(await hosts.findRobots('https://three.example')).toBe('User-agent: *');
  expect(await hosts.findRobots('https://four.example')).toBeNull();
  await q.superuser.query(`update millrace.link_hosts set robots_at = now() - interval '25 hours'`);
  expect(await hosts.findRobots('https://three.example')).toBeUndefined();
});

test('hosts that nobody has asked for two days are forgotten, and no others', async () => {
  await q.superuser.query('delete from millrace.link_hosts');
  await q.superuser.query(
    `insert into millrace.link_hosts (host, next_at, robots_at) values
       ('old', now() - interval '3 days', null), ('old-with-robots', now() - interval '3 days', now() - interval '3 days'),
       ('robots-of-today', now() - interval '3 days', now()), ('asked-today', now(), now() - interval '3 days'),
       ('far-away', now() + interval '1 hour', null)`,
  );
  await q.superuser.query(
    `insert into millrace.link_hosts (host, next_at) select 'many-' || n, now() - interval '9 days' from generate_series(1, 2500) n`,
  );
  const counts = await linkHostsDuty({ database: q.db }).run({
    goOn: () => true,
    upSeconds: 100,
    pause: async () => undefined,
  });
  expect(counts).toEqual({ hosts: 2_502 });
  const { rows } = await q.superuser.query('select host from millrace.link_hosts order by host');
  expect(rows.map(({ host }) => host)).toEqual(['asked-today', 'far-away', 'robots-of-today']);
});
