import type pg from 'pg';
import { loadConfig } from '../../src/config/config.ts';
import { machineMs } from '../measuring/clock.ts';
import { openPlainConnections, type PlainNews, type PlainOrder, runPlainJob } from '../stage/plain.ts';

// The hand-written loop of two statements, in a process of its own as a worker is.

const databaseUrl = loadConfig().databaseUrl ?? '';
const say = (news: PlainNews): void => void process.send?.(news);
const open: pg.Client[] = [];

async function drain(client: pg.Client, durationsMs: number[]): Promise<void> {
  for (let beganMs = machineMs(); await runPlainJob(client); ) {
    const endedMs = machineMs();
    durationsMs.push(endedMs - beganMs);
    beganMs = endedMs;
  }
}

process.on('message', async ({ connections }: PlainOrder) => {
  open.push(...(await openPlainConnections(databaseUrl, connections - open.length)));
  const durationsMs: number[] = [];
  await Promise.all(open.slice(0, connections).map((client) => drain(client, durationsMs)));
  say({ durationsMs });
});
process.on('disconnect', async () => {
  await Promise.all(open.map((client) => client.end()));
});
say({ durationsMs: null });
