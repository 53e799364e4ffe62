import type { Finish, RunMeasure } from '../../src/core/queue.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { LogFiles } from './log-files.ts';
import { logOfRun } from './log-of-run.ts';
import type { Run } from './run.ts';

const ROUTINE_MS = 100;

/** Writes to the log, and to log files where they are kept, how a run was settled. */
export function logCompletion(
  run: Run,
  finish: Finish,
  measure: RunMeasure,
  { log, logFiles }: { readonly log: Logger; readonly logFiles?: LogFiles },
): void {
  logFiles?.ended(run.claimed, finish);
  const level = isRoutine(run, finish, measure) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  logOfRun(run, log)[level](
    { status: statusOf(finish), ...facts(finish), wall_ms: Math.round(measure.wallMs) },
    `run: ${statusOf(finish)}`,
  );
}

/**
 * Successes of a few milliseconds that are about nothing: there are thousands a second, and a line would be a
 * tenth of what each costs.
 */
function isRoutine({ claimed: { job } }: Run, finish: Finish, { wallMs }: RunMeasure): boolean {
  const hasSucceeded = finish.kind === 'final' && finish.settlement.status === 'succeeded';
  return hasSucceeded && job.subject === null && wallMs < ROUTINE_MS;
}

/** How the run ended, or what it goes back to the queue for. */
function statusOf(finish: Finish): string {
  return finish.kind === 'final' ? finish.settlement.status : finish.kind;
}

function facts(finish: Finish): Readonly<Record<string, unknown>> {
  if (finish.kind === 'retry') return { error: finish.error, delay_seconds: finish.delaySeconds };
  if (finish.kind === 'snooze') return { reason: finish.reason, delay_seconds: finish.delaySeconds };
  if (finish.kind === 'handBack') return {};
  const { settlement } = finish;
  if (settlement.status === 'canceled') return { reason: settlement.reason };
  return settlement.status === 'succeeded' ? {} : { error: settlement.error };
}
