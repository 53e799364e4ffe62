import { boundText, cleanJson, cleanText } from '../core/clean-text.ts';
import type { JobError } from '../core/job.ts';
import { DEFAULT_MAX_RESULT_BYTES, type Finish, type Lease, type RunMeasure } from '../core/queue.ts';
import { type Column, column, idColumn, sharedColumn } from './columns.ts';
import { resultJson } from './result-json.ts';

/** One run's end. */
export interface SettleItem {
  readonly lease: Lease;
  readonly ending: Ending;
  /**
   * `startedAtMs` null: settled without having been run (poison, exhausted, canceled before its start): no
   * attempt to write, none to spend.
   */
  readonly measure: RunMeasure;
}

/** How a run ends, in the columns of `settle_runs`. */
export interface Ending {
  readonly status: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly reason: string | null;
  readonly delaySeconds: number | null;
  /**
   * How the run itself ended, as `usage_events` says it. `failed` and `timeout` spend an attempt; all but
   * `snoozed` and `handed_back` write an attempt row.
   */
  readonly outcome: string;
}

const PLAIN: Omit<Ending, 'status' | 'outcome'> = {
  result: null,
  error: null,
  reason: null,
  delaySeconds: null,
};

/** The ending of most runs that succeed, made once. */
const SUCCEEDED: Ending = { ...PLAIN, status: 'succeeded', result: 'null', outcome: 'succeeded' };

/**
 * A run's end as it is written; texts are cleaned and bounded here, so that a settle cannot fail for a stray
 * byte.
 * @param maxResultBytes the largest result that is stored, as JSON text
 * @throws PermanentError `UnwritableResult`, `ResultTooLarge`
 */
export function settleItem(
  lease: Lease,
  finish: Finish,
  measure: RunMeasure,
  maxResultBytes: number = DEFAULT_MAX_RESULT_BYTES,
): SettleItem {
  return { lease, ending: endingOf(finish, maxResultBytes), measure };
}

function endingOf(finish: Finish, maxResultBytes: number): Ending {
  switch (finish.kind) {
    case 'final':
      return finalEnding(finish, maxResultBytes);
    case 'retry':
      return {
        ...PLAIN,
        status: 'queued',
        error: errorJson(finish.error),
        delaySeconds: finish.delaySeconds,
        outcome: finish.timedOut === true ? 'timeout' : 'failed',
      };
    case 'snooze':
      return {
        ...PLAIN,
        status: 'queued',
        reason: reasonText(finish.reason),
        delaySeconds: finish.delaySeconds,
        outcome: 'snoozed',
      };
    case 'handBack':
      return { ...PLAIN, status: 'queued', outcome: 'handed_back' };
  }
}

function finalEnding(finish: Extract<Finish, { kind: 'final' }>, maxResultBytes: number): Ending {
  const { settlement } = finish;
  switch (settlement.status) {
    case 'succeeded':
      if (settlement.result === null && settlement.skippedReason === null) return SUCCEEDED;
      return {
        ...PLAIN,
        status: 'succeeded',
        result: resultJson(settlement.result, maxResultBytes),
        reason: settlement.skippedReason === null ? null : reasonText(settlement.skippedReason),
        outcome: settlement.skippedReason === null ? 'succeeded' : 'skipped',
      };
    case 'canceled':
      return {
        ...PLAIN,
        status: 'canceled',
        reason: reasonText(settlement.reason),
        outcome: 'canceled',
      };
    case 'failed':
    case 'dead_letter':
      return {
        ...PLAIN,
        status: settlement.status,
        error: errorJson(settlement.error),
        outcome: finish.timedOut === true ? 'timeout' : 'failed',
      };
  }
}

function errorJson(error: JobError): string {
  return cleanJson({ ...error, type: boundText(error.type, 200), message: boundText(error.message) });
}

function reasonText(reason: string): string {
  return cleanText(boundText(reason, 2000));
}

/** The items as the parameters of `settle_runs`, column by column. */
export function settleParameters(items: readonly SettleItem[]): readonly Column[] {
  return [
    idColumn(items, ({ lease }) => lease.jobId),
    sharedColumn(items, ({ lease }) => lease.runNo),
    sharedColumn(items, ({ lease }) => lease.token),
    sharedColumn(items, ({ ending }) => ending.status),
    sharedColumn(items, ({ ending }) => ending.result),
    column(items, ({ ending }) => ending.error),
    column(items, ({ ending }) => ending.reason),
    column(items, ({ ending }) => ending.delaySeconds),
    sharedColumn(items, ({ ending, measure }) => (measure.startedAtMs === null ? null : ending.outcome)),
    column(items, startedSeconds),
    sharedColumn(items, wallMs),
    column(items, cpuMs),
    column(items, outputJson),
  ];
}

/** A run that succeeded as an attempt of its own and gives no reason: all of `succeed_runs`. */
export function isPlainSuccess({ ending, measure }: SettleItem): boolean {
  return (
    ending.outcome === 'succeeded' &&
    ending.reason === null &&
    measure.startedAtMs !== null &&
    measure.output === undefined
  );
}

/** Such items as the parameters of `succeed_runs`. */
export function successParameters(unordered: readonly SettleItem[]): readonly Column[] {
  // In one order, so that two statements that share rows cannot wait for each other. `settle_runs` sees to
  // that itself.
  const items = [...unordered].sort(byJobId);
  return [
    idColumn(items, ({ lease }) => lease.jobId),
    sharedColumn(items, ({ lease }) => lease.runNo),
    sharedColumn(items, ({ lease }) => lease.token),
    sharedColumn(items, ({ ending }) => ending.result),
    column(items, startedSeconds),
    sharedColumn(items, wallMs),
    column(items, cpuMs),
  ];
}

function byJobId({ lease: a }: SettleItem, { lease: b }: SettleItem): number {
  return a.jobId < b.jobId ? -1 : 1;
}

/** Null for nearly all: it is no program that they have run. */
function outputJson({ measure: { output } }: SettleItem): string | null {
  return output === undefined ? null : cleanJson(output);
}

// Seconds and not a Date, which would be written out and read as local time, at a tenth of what a small job
// costs.
function startedSeconds({ measure: { startedAtMs } }: SettleItem): number | null {
  return startedAtMs === null ? null : Math.round(startedAtMs) / 1000;
}

function wallMs({ measure }: SettleItem): number {
  return Math.round(measure.wallMs);
}

function cpuMs({ measure }: SettleItem): number | null {
  return measure.cpuMs === null ? null : Math.round(measure.cpuMs);
}
