import { setTimeout as delay } from 'node:timers/promises';
import type { Program } from '../../test/support/program.ts';
import { cpuSecondsOf, residentMegabytesOf } from '../measuring/cpu.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { startServer, startShippedWorker } from '../stage/server.ts';
import { openStage } from '../stage/stage.ts';

const GOAL_SERVER_MB = 200;
const MAX_STARTS = 3;

/** Resident memory of the production processes a while after their start, with nothing to do. */
export const memory: Measure = {
  name: 'memory',
  title: 'Resident memory of idle processes',
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    const idleMs = effort.quick ? 1_000 : 10_000;
    const servers: number[] = [];
    const workers: number[] = [];
    for (let start = 1; start <= Math.min(MAX_STARTS, effort.starts); start++) {
      const { program: server } = await startServer(stage);
      const worker = await startShippedWorker(stage);
      await delay(idleMs);
      servers.push(await residentOf(server));
      workers.push(await residentOf(worker));
      say(
        `after ${idleMs / 1000} s: server ${rounded(servers.at(-1) as number)} MB, worker ${rounded(workers.at(-1) as number)} MB; ` +
          `CPU seconds since their start: server ${await cpuSecondsOf(server.pid)}, worker ${await cpuSecondsOf(worker.pid)}`,
      );
      await Promise.all([server.interrupt(), worker.interrupt()]);
    }
    return [
      figureOf({ name: 'server, idle', unit: 'MB', goal: GOAL_SERVER_MB }, servers),
      figureOf({ name: 'worker, idle', unit: 'MB', goal: null }, workers),
    ];
  },
};

async function residentOf(program: Program): Promise<number> {
  const megabytes = await residentMegabytesOf(program.pid);
  if (megabytes === null)
    throw new Error('Resident memory is read from /proc, which this system does not have');
  return megabytes;
}
