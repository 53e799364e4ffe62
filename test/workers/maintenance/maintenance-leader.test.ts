import { hostname } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Leadership } from '../../../workers/maintenance/leadership.ts';
import { waitPromised } from '../../support/lateness.ts';
import { startLossyProxy } from '../../support/lossy-proxy.ts';
import { openTestQueue, silentLog, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from '../runtime/support/definitions.ts';
import { type MaintenanceProcess, MaintenanceProcesses } from '../runtime/support/maintenance-process.ts';

/** Of a process as it runs in production, for the leadership. */
const LEASE_MS = 5_000;
/** Within which another leads: far less than a connection takes to be given up. */
const TAKEOVER_MS = LEASE_MS + 20_000;

let q: TestQueue;
let processes: MaintenanceProcesses;

beforeAll(async () => {
  q = await openTestQueue(definitions);
});
beforeEach(() => {
  processes = new MaintenanceProcesses();
});
afterEach(() => processes.close());
afterAll(() => q.close());

async function leader(): Promise<{ holder: string; term: number; held: boolean }> {
  const { rows } = await q.superuser.query(
    'select holder, term::integer, expires_at > clock_timestamp() as held from millrace.maintenance_leader',
  );
  return rows[0];
}

async function leaderAmong(all: readonly MaintenanceProcess[]): Promise<MaintenanceProcess | undefined> {
  const { holder, held } = await leader();
  return held ? all.find(({ child }) => holder.startsWith(`${hostname()}:${child.pid}:`)) : undefined;
}

/** Which of the processes leads. */
const leadingOf = (all: readonly MaintenanceProcess[]): Promise<MaintenanceProcess> =>
  waitFor(() => leaderAmong(all), { describe: 'one of the processes to lead' });

/** Waits until another than `gone` leads, from now on. */
function takeover(all: readonly MaintenanceProcess[], gone: MaintenanceProcess): Promise<MaintenanceProcess> {
  return waitPromised(() => leaderAmong(all.filter((process) => process !== gone)), {
    describe: 'another to lead',
    withinMs: TAKEOVER_MS,
    databaseUrl: q.url,
  });
}

test('of many that boot at once and stop at random never two lead, and one does', async () => {
  const leaseMs = 200;
  const open = new Map<string, Leadership>();
  const begin = (n: number): void => {
    const holder = `p${n}`;
    open.set(
      holder,
      new Leadership({ database: q.db, log: silentLog, holder, leaseMs, onChange: () => undefined }),
    );
  };
  let most = 0;
  const led = new Set<number>();
  const watching = setInterval(() => {
    const leading = [...open.values()].filter(({ leads }) => leads).length;
    most = Math.max(most, leading);
  }, 1);
  for (let n = 0; n < 8; n++) begin(n);
  for (let round = 0; round < 8; ) {
    await waitFor(() => [...open.values()].some(({ leads }) => leads), {
      describe: 'one to lead',
    });
    const { holder, term, held } = await leader();
    const chosen = open.get(holder);
    // On a machine that was busy elsewhere its lease may have ended meanwhile.
    if (!held || chosen === undefined) continue;
    led.add(term);
    await chosen.stop();
    open.delete(holder);
    begin(100 + round);
    round++;
  }
  await Promise.all([...open.values()].map((leadership) => leadership.stop()));
  clearInterval(watching);
  expect(most).toBe(1);
  // A term is of one leader: a leader that came after another had a new one.
  expect(led.size).toBe(8);
  // Returned, not left to end: nobody needs to wait for it.
  expect((await leader()).held).toBe(false);
});

test('another process leads within its lease after the leader was killed, and after it was stopped', async () => {
  const all = await Promise.all([processes.start(q.url), processes.start(q.url), processes.start(q.url)]);
  const first = await leadingOf(all);
  first.kill('SIGKILL');
  await takeover(all, first);

  const left = all.filter((process) => process !== first);
  const second = await leadingOf(left);
  second.kill('SIGSTOP');
  await takeover(left, second);
  // Woken, it knows by its own clock that it leads no longer, and waits for its turn like any other.
  const { holder, term } = await leader();
  second.kill('SIGCONT');
  const hasNoticed = () => second.lines.some((line) => line.includes('another process leads'));
  // Where the machine kept the new leader from renewing, there is a newer one by then: maybe the woken.
  await waitFor(async () => hasNoticed() || (await leader()).term > term, {
    describe: 'the woken process to notice',
  });
  const now = await leader();
  expect(now.term).toBeGreaterThanOrEqual(term);
  if (now.term === term) expect(now.holder).toBe(holder);
});

test('another process leads within its lease after the leader’s connection was cut without a word', async () => {
  const proxy = await startLossyProxy(q.url);
  try {
    const cutOff = await processes.start(proxy.url);
    await leadingOf([cutOff]);
    const other = await processes.start(q.url);
    proxy.set('freeze');
    await takeover([cutOff, other], cutOff);
  } finally {
    await processes.close();
    await proxy.close();
  }
});

test('a leader that stops in good order gives its place up at once', async () => {
  const [one, two] = await Promise.all([processes.start(q.url), processes.start(q.url)]);
  const first = await leadingOf([one, two]);
  first.kill('SIGTERM');
  await first.exited;
  await takeover([one, two], first);
});
