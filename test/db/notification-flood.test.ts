import { afterAll, beforeAll, expect, it } from 'vitest';
import { CANCEL_CHANNEL, IDENTITY_CHANNEL, WATCH_CHANNEL } from '../../src/db/channels.ts';
import { createListener } from '../../src/db/listener.ts';
import { openTestQueue, silentLog, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
afterAll(() => q.close());

it('a flood of notifications from another login is a few deliveries, and what is notified after it is heard', async () => {
  const listener = createListener({
    connectionString: q.url,
    channels: [WATCH_CHANNEL, IDENTITY_CHANNEL, CANCEL_CHANNEL],
    log: silentLog,
  });
  const heard: string[] = [];
  for (const channel of [WATCH_CHANNEL, IDENTITY_CHANNEL, CANCEL_CHANNEL] as const)
    listener.on(channel, (payload) => heard.push(`${channel} ${payload}`));
  await listener.start();
  try {
    for (const channel of [WATCH_CHANNEL, IDENTITY_CHANNEL, CANCEL_CHANNEL])
      await q.superuser.query(`select count(pg_notify($1, 'x' || g)) from generate_series(1, 100000) g`, [
        channel,
      ]);
    await q.superuser.query('select pg_notify($1, $2)', [WATCH_CHANNEL, 'the last']);
    await waitFor(() => heard.at(-1) === `${WATCH_CHANNEL} ` || heard.includes(`${WATCH_CHANNEL} the last`), {
      describe: 'the notification after the flood',
    });
    await waitFor(
      () => [IDENTITY_CHANNEL, CANCEL_CHANNEL].every((channel) => heard.includes(`${channel} `)),
      {
        describe: 'an empty payload in place of many',
      },
    );
    expect(heard.length).toBeLessThan(1_000);
    // Each of few is heard at once and by itself again.
    await waitFor(
      async () => {
        await q.superuser.query('select pg_notify($1, $2)', [CANCEL_CHANNEL, 'worker-1']);
        return heard.includes(`${CANCEL_CHANNEL} worker-1`);
      },
      { describe: 'a single notification', pollMs: 50 },
    );
  } finally {
    await listener.stop();
  }
});
