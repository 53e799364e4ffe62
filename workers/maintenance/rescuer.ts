import type { Duty, Turn } from '../../src/core/duty.ts';
import type { MaintenanceQueue } from '../../src/core/maintenance-queue.ts';
import type { Gauges } from '../../src/telemetry/gauges.ts';
import type { Logger } from '../../src/telemetry/log.ts';

export interface RescueDeps {
  readonly queue: Pick<MaintenanceQueue, 'rescue' | 'countLeases'>;
  readonly gauges: Gauges;
  readonly log: Logger;
  /** The rescue interval. */
  readonly everyMs: number;
}

const BATCH = 500;

/** Names of the figures that the rescue sets, for the code that forgets them when another leads. */
export const RESCUE_GAUGES = ['millrace_overdue_leases', 'millrace_running_jobs'] as const;

/**
 * Puts back the jobs whose lease has ended, but for those whose lease is longer than the database has been
 * back: there it may have been the outage that kept their workers from renewing, and they get one lease to do
 * so. Never rests between its batches: each second of a dead fleet's jobs is somebody's wait.
 */
export function rescueDuty(deps: RescueDeps): Duty {
  return {
    name: 'rescue',
    everyMs: deps.everyMs,
    run: async (turn) => {
      const jobs = await rescue(deps, turn);
      await watchInvariant(deps, turn.upSeconds);
      return { jobs };
    },
  };
}

async function rescue({ queue, log }: RescueDeps, turn: Turn): Promise<number> {
  let rescued = 0;
  while (turn.goOn()) {
    const ids = await queue.rescue(BATCH, turn.upSeconds);
    rescued += ids.length;
    if (ids.length > 0)
      log.warn({ job_ids: ids.slice(0, 20), jobs: ids.length }, 'rescue: leases ended, jobs go back');
    if (ids.length < BATCH) break;
  }
  return rescued;
}

/**
 * No running job whose lease ended more than two intervals ago. A round that is late itself must not cry
 * wolf.
 */
async function watchInvariant({ queue, gauges, log, everyMs }: RescueDeps, upSeconds: number): Promise<void> {
  const graceSeconds = (2 * everyMs) / 1000;
  const { runningCount, overdueCount } = await queue.countLeases(graceSeconds, upSeconds);
  gauges.set(
    'millrace_overdue_leases',
    'Running jobs whose lease ended more than two rescue intervals ago; always 0 when all is well.',
    overdueCount,
  );
  gauges.set('millrace_running_jobs', 'Jobs that are claimed, in all tenants.', runningCount);
  if (overdueCount > 0)
    log.warn(
      { overdue_count: overdueCount },
      'rescue: leases ended more than two rounds ago and were not taken',
    );
}
