import { loadConfig } from '../../src/config/config.ts';
import { machineMs } from '../measuring/clock.ts';
import { openPlainConnections, PLAIN_CHANNEL, type PlainStart, runPlainJob } from '../stage/plain.ts';

// The least that starts a job in another process: LISTEN on one connection, two statements on a second.

const [listener, client] = await openPlainConnections(loadConfig().databaseUrl ?? '', 2);
if (listener === undefined || client === undefined) throw new Error('Two connections were asked for');
const say = (news: PlainStart): void => void process.send?.(news);

listener.on('notification', async () => {
  await runPlainJob(client, () => say({ atMs: machineMs() }));
});
await listener.query(`listen ${PLAIN_CHANNEL}`);
process.on('disconnect', async () => {
  await Promise.all([listener.end(), client.end()]);
});
say({ atMs: null });
