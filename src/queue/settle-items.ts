import { boundText, cleanJson, cleanText } from '../core/clean-text.ts';
import type { JobError } from '../core/job.ts';
import type { Finish, Lease, RunMeasure } from '../core/queue.ts';

/** One run's end in the columns of `settle_jobs`. */
export interface SettleItem {
  readonly lease: Lease;
  readonly status: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly reason: string | null;
  readonly delaySeconds: number | null;
  /**
   * How the run itself ended, as `usage_events` says it; null for one that never ran. `failed` and `timeout` spend an
   * attempt; all but `snoozed` and `handed_back` write an attempt row.
   */
  readonly outcome: string | null;
  readonly measure: RunMeasure;
}

type Ending = Omit<SettleItem, 'lease' | 'measure'>;

const PLAIN: Omit<Ending, 'status' | 'outcome'> = {
  result: null,
  error: null,
  reason: null,
  delaySeconds: null,
};

/** The columns for one way to end; texts are cleaned and bounded here, so that a settle cannot fail for a stray byte. */
export function settleItem(lease: Lease, finish: Finish, measure: RunMeasure): SettleItem {
  const ending = endingOf(finish);
  // Settled without having been run (poison, exhausted, canceled before its start): no attempt to write, none to spend.
  return measure.startedAt === null
    ? { lease, measure, ...ending, outcome: null }
    : { lease, measure, ...ending };
}

function endingOf(finish: Finish): Ending {
  switch (finish.kind) {
    case 'final':
      return finalEnding(finish);
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

function finalEnding(finish: Extract<Finish, { kind: 'final' }>): Ending {
  const { settlement } = finish;
  switch (settlement.status) {
    case 'succeeded':
      return {
        ...PLAIN,
        status: 'succeeded',
        result: cleanJson(settlement.result),
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
  return boundText(cleanText(reason), 2000);
}

/** The items as the parameters of `settle_jobs`, column by column. */
export function settleParameters(items: readonly SettleItem[]): readonly unknown[] {
  return [
    array(items.map((item) => item.lease.jobId)),
    shared(items.map((item) => item.lease.runNo)),
    shared(items.map((item) => item.lease.token)),
    shared(items.map((item) => item.status)),
    shared(column(items, (item) => item.result)),
    column(items, (item) => item.error),
    column(items, (item) => item.reason),
    column(items, (item) => item.delaySeconds),
    shared(column(items, (item) => item.outcome)),
    // Seconds and not a Date, which would be written out and read as local time, at a tenth of what a small job costs.
    array(
      items.map(({ measure }) => (measure.startedAt === null ? 'NULL' : measure.startedAt.getTime() / 1000)),
    ),
    shared(items.map((item) => Math.round(item.measure.wallMs))),
    column(items, ({ measure }) => (measure.cpuMs === null ? null : Math.round(measure.cpuMs))),
  ];
}

/** As Postgres reads it: ids and numbers need no quotes, which the driver would look for in each. */
function array(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}

/** Nothing at all when every value is null: `unnest` fills the shorter column up with nulls. */
function column<T>(
  items: readonly SettleItem[],
  pick: (item: SettleItem) => T | null,
): readonly (T | null)[] {
  const values = items.map(pick);
  return values.every((value) => value === null) ? [] : values;
}

/** One value where all are the same, which `settle_jobs` takes for every run. */
function shared<T>(values: readonly T[]): readonly T[] {
  const [first] = values;
  return values.every((value) => value === first) ? values.slice(0, 1) : values;
}
