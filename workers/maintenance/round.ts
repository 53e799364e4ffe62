import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Duty } from '../../src/core/duty.ts';
import type { MaintenanceQueue } from '../../src/core/queue.ts';
import type { Channel } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import type { Listener } from '../../src/db/listener.ts';
import { Gauges } from '../../src/telemetry/gauges.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { dueJobsDuty } from './due-jobs.ts';
import { DutyLoop } from './duty-loop.ts';
import { DutyRecord } from './duty-record.ts';
import { HEALTH_GAUGES, healthDuty } from './health.ts';
import { Leadership } from './leadership.ts';
import { auditLogDuty, idempotencyKeysDuty, jobLogsDuty, tombstonesDuty, workersDuty } from './pruner.ts';
import { RESCUE_GAUGES, rescueDuty } from './rescuer.ts';
import { retentionDuty } from './retention.ts';
import { statisticsDuty } from './statistics.ts';
import { dependentsDuty, expiryDuty } from './sweeps.ts';
import { usageDuty } from './usage.ts';

export interface MaintenanceDeps {
  readonly database: Database;
  readonly queue: MaintenanceQueue;
  readonly log: Logger;
  /** Wakes duties that wait for a channel; without it they are done by time only. */
  readonly listener?: Pick<Listener, 'on'>;
}

export interface MaintenanceOptions {
  /** The rescue interval; 1,000 by default. Another leader takes over from a killed one within five of it. */
  readonly everyMs?: number;
  /** How long finished jobs are kept where neither definition nor tenant says; 0 forever, 14 by default. */
  readonly retentionDays?: number;
  /** How long usage is kept; 0 forever, 400 by default. */
  readonly usageRetentionDays?: number;
  /** How long entries of the audit log are kept; 0 forever, 400 by default. */
  readonly auditRetentionDays?: number;
  /** Where figures go; nowhere by default. */
  readonly gauges?: Gauges;
  /** Done beside our own, one after the other. */
  readonly duties?: readonly Duty[];
}

export interface Maintenance {
  /** Whether this process leads, as far as it knows. */
  readonly leads: boolean;
  /** Ends what is under way, begins nothing any more and lets another lead. */
  stop(): Promise<void>;
}

/**
 * A process that computes for a second or two, or a busy database, must not cost the leader its place: what
 * it was at begins again elsewhere. A killed leader is followed within this many rescue intervals, which is
 * less than any lease of a job.
 */
const LEASE_PER_INTERVAL = 5;
const DAY_SECONDS = 86_400;

/** Looks after the queue. Any number of processes may run it; one at a time leads and does the duties. */
export function startMaintenance(deps: MaintenanceDeps, options: MaintenanceOptions = {}): Maintenance {
  const { database, log } = deps;
  const gauges = options.gauges ?? new Gauges();
  const everyMs = options.everyMs ?? 1_000;
  const leading = (leads: boolean): void =>
    gauges.set(
      'millrace_maintenance_leading',
      '1 in the process that looks after the queue, else 0.',
      leads ? 1 : 0,
    );
  leading(false);
  const loops: DutyLoop[] = [];
  const record = new DutyRecord(database, gauges);
  const leadership = new Leadership({
    database,
    log,
    holder: `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`,
    leaseMs: LEASE_PER_INTERVAL * everyMs,
    onChange: (leads) => {
      leading(leads);
      if (leads) for (const loop of loops) loop.wake();
      else {
        for (const name of [...RESCUE_GAUGES, ...HEALTH_GAUGES]) gauges.forget(name);
        record.forget();
      }
    },
  });
  loops.push(...loopsOf(deps, options, { gauges, everyMs, leadership, record }));
  const unsubscribers: (() => void)[] = [];
  for (const duty of options.duties ?? []) {
    if (duty.ownLoop !== true) continue;
    const loop = new DutyLoop([duty], leadership, record, log);
    loops.push(loop);
    if (duty.wakesOn !== undefined && deps.listener !== undefined)
      unsubscribers.push(deps.listener.on(duty.wakesOn as Channel, () => loop.dueNow()));
  }
  return {
    get leads() {
      return leadership.leads;
    },
    stop: async () => {
      for (const unsubscribe of unsubscribers) unsubscribe();
      await Promise.all(loops.map((loop) => loop.stop()));
      await leadership.stop();
    },
  };
}

interface LoopParts {
  readonly gauges: Gauges;
  readonly everyMs: number;
  readonly leadership: Leadership;
  readonly record: DutyRecord;
}

function loopsOf(
  deps: MaintenanceDeps,
  options: MaintenanceOptions,
  { gauges, everyMs, leadership, record }: LoopParts,
): readonly DutyLoop[] {
  const { database, queue, log } = deps;
  const sweeps = { queue, gauges, log };
  // Loops of their own: no sweep and no deletion, however long, holds up the rescue.
  return [
    new DutyLoop(
      [rescueDuty({ queue, gauges, log, everyMs }), healthDuty(queue, gauges)],
      leadership,
      record,
      log,
    ),
    new DutyLoop([expiryDuty(sweeps, everyMs), dependentsDuty(sweeps)], leadership, record, log),
    new DutyLoop([dueJobsDuty(queue)], leadership, record, log),
    new DutyLoop([statisticsDuty(database)], leadership, record, log),
    // A long history takes minutes to be looked through: usage and all else go on meanwhile.
    new DutyLoop(
      [
        retentionDuty({
          queue,
          defaultSeconds: seconds(options.retentionDays ?? 14),
          onLag: (lagSeconds) => record.lag('retention', lagSeconds),
        }),
      ],
      leadership,
      record,
      log,
    ),
    new DutyLoop(
      [
        usageDuty({
          database,
          retentionSeconds: seconds(options.usageRetentionDays ?? 400),
          onLag: (lagSeconds) => record.lag('usage', lagSeconds),
        }),
      ],
      leadership,
      record,
      log,
    ),
    new DutyLoop(
      [
        workersDuty(queue, log),
        tombstonesDuty(database),
        idempotencyKeysDuty(database),
        jobLogsDuty(queue),
        auditLogDuty(database, seconds(options.auditRetentionDays ?? 400)),
        ...(options.duties ?? []).filter(({ ownLoop }) => ownLoop !== true),
      ],
      leadership,
      record,
      log,
    ),
  ];
}

function seconds(days: number): number | null {
  return days === 0 ? null : days * DAY_SECONDS;
}
