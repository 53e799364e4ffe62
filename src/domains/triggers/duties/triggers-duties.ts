import { type Duty, inBatches } from '../../../core/duty.ts';
import { EVENT_CHANNEL } from '../../../db/channels.ts';
import type { Database } from '../../../db/database.ts';
import { PayloadValidator } from '../../../jobs/payload-validator.ts';
import type { Logger } from '../../../telemetry/log.ts';
import type { DispatchDeps } from '../dispatch/deps.ts';
import { dispatchEvents } from '../dispatch/dispatch-events.ts';
import { runSchedules } from '../dispatch/run-schedules.ts';
import { type PrunedTriggeredRow, pruneTriggered } from '../sql/prune-triggered.ts';

export interface TriggersDutiesDeps {
  readonly database: Database;
  readonly queue: DispatchDeps['queue'];
  readonly log: Logger;
  readonly config: { readonly maxPayloadBytes: number; readonly retentionDays: number };
}

/** A tick is enqueued at most this late; events wake the leader at once. */
const EVERY_MS = 500;
const PRUNE_EVERY_MS = 60_000;
const PRUNE_BATCH = 1_000;
const DAY_SECONDS = 86_400;

/** Turns events and due ticks into jobs, and forgets them after the retention of jobs. */
export function triggersDuties({ database, queue, log, config }: TriggersDutiesDeps): readonly Duty[] {
  const validator = new PayloadValidator(config.maxPayloadBytes);
  const deps: DispatchDeps = {
    db: database,
    queue,
    checkPayload: (_tenantId, definition, payload) => validator.checkText(definition, payload),
    log,
  };
  const dispatching: Duty = {
    name: 'events',
    everyMs: EVERY_MS,
    ownLoop: true,
    wakesOn: EVENT_CHANNEL,
    run: async (turn) => ({ events: await all(turn, () => dispatchEvents(deps)) }),
  };
  const scheduling: Duty = {
    name: 'schedules',
    everyMs: EVERY_MS,
    ownLoop: true,
    run: async (turn) => ({ schedules: await all(turn, () => runSchedules(deps)) }),
  };
  return config.retentionDays === 0
    ? [dispatching, scheduling]
    : [dispatching, scheduling, pruning(database, config.retentionDays)];
}

/** Without a rest between batches: each is somebody's wait. */
async function all(turn: { goOn(): boolean }, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  while (turn.goOn()) {
    const done = await batch();
    if (done === 0) break;
    total += done;
  }
  return total;
}

function pruning(database: Database, retentionDays: number): Duty {
  return {
    name: 'prune events',
    everyMs: PRUNE_EVERY_MS,
    run: async (turn) => ({
      rows: await inBatches(turn, async () => {
        const { rows } = await database.asWorker<PrunedTriggeredRow>(pruneTriggered, [
          retentionDays * DAY_SECONDS,
          PRUNE_BATCH,
        ]);
        const { events, runs } = rows[0] ?? { events: 0, runs: 0 };
        return { done: events + runs, more: Math.max(events, runs) === PRUNE_BATCH };
      }),
    }),
  };
}
