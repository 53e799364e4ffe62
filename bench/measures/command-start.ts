import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/config.ts';
import { openWorker } from '../../workers/open-worker.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { openStage } from '../stage/stage.ts';

const GOAL_MS = 15;
const PROGRAM = '/bin/true';

/**
 * What a command costs over spawning its program: by the run's own measure, from the handler's start to its
 * end.
 */
export const commandStart: Measure = {
  name: 'command-start',
  title: 'A command as a job over spawning its program directly',
  async run(context) {
    const { effort } = context;
    await using stage = await openStage(context);
    const file = join(stage.directory, 'commands.json');
    await writeFile(file, JSON.stringify({ commands: { nothing: { argv: [PROGRAM], definition: {} } } }));
    const worker = await openWorker({
      config: loadConfig({
        ...stage.env,
        MILLRACE_COMMANDS: file,
        MILLRACE_LOG_LEVEL: 'silent',
        MILLRACE_CONCURRENCY: '1',
      }),
      databaseUrl: stage.databaseUrl,
      registrations: [],
      exitWhenBlocked: false,
    });
    try {
      const overMs: number[] = [];
      for (let n = -5; n < Math.min(effort.samples, 100); n++) {
        const direct = await directMs();
        await stage.client.query(`select millrace.enqueue('nothing', '{}', tenant => $1)`, [stage.tenantId]);
        const asJob = await jobMs(stage.client);
        if (n >= 0) overMs.push(asJob - direct);
      }
      return [figureOf({ name: 'a command over its program', unit: 'ms', goal: GOAL_MS }, overMs)];
    } finally {
      await worker.stop(0);
    }
  },
};

async function directMs(): Promise<number> {
  const startMs = performance.now();
  await once(spawn(PROGRAM, { stdio: ['ignore', 'pipe', 'pipe'] }), 'close');
  return performance.now() - startMs;
}

/** Waits for the one job to end, and takes it away. */
async function jobMs(client: {
  query(text: string): Promise<{ rows: { wall: number }[] }>;
}): Promise<number> {
  for (;;) {
    const { rows } = await client.query(
      `select extract(epoch from a.finished_at - a.started_at)::float8 * 1000 as wall from millrace.job_attempts a join millrace.jobs j on j.id = a.job_id
       where j.status = 'succeeded'`,
    );
    if (rows[0] === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    await client.query('delete from millrace.jobs');
    return rows[0].wall;
  }
}
