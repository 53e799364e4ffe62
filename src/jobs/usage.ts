import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { distinctValues } from '../core/filter-values.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { type SumUsageRow, sumUsage, type UsageSumRow } from '../db/sql/read/sum-usage.ts';
import { sumUsageAmounts, type UsageAmountRow } from '../db/sql/read/sum-usage-amounts.ts';

/** Which usage: whole days (UTC) from that of `from` to that of `to`, both included. */
export interface UsageRange {
  readonly from: Date;
  readonly to: Date;
  /** Only these definitions; all when omitted. */
  readonly definitionKeys?: readonly string[] | null | undefined;
}

/** How the runs of a definition on one day ended. `snoozed` and `handed_back` runs spent no attempt. */
export const USAGE_OUTCOMES = [
  'succeeded',
  'skipped',
  'failed',
  'timeout',
  'canceled',
  'lost',
  'snoozed',
  'handed_back',
] as const;
export type UsageOutcome = (typeof USAGE_OUTCOMES)[number];

/**
 * What is counted beside runs: sound that was transcribed, tokens of language models, and their price in
 * millionths of the currency.
 */
export const USAGE_UNITS = ['audio_ms', 'input_tokens', 'output_tokens', 'cost_micros'] as const;
export type UsageUnit = (typeof USAGE_UNITS)[number];

/** What a tenant used of one definition on one day. */
export interface UsageDay {
  /** `2026-11-28`, UTC. */
  readonly day: string;
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly runs: bigint;
  readonly runsByOutcome: readonly { readonly outcome: UsageOutcome; readonly runs: bigint }[];
  readonly wallMs: bigint;
  /** CPU time of the runs whose CPU time is known; null when there are none. */
  readonly cpuMs: bigint | null;
  readonly cpuMeasuredRuns: bigint;
  readonly amounts: readonly { readonly unit: UsageUnit; readonly amount: bigint }[];
}

/** What a tenant used, and how far that is exact. */
export interface Usage {
  /** Runs that ended before this time are counted, later ones are not. */
  readonly exactBefore: Date;
  readonly days: readonly UsageDay[];
}

/**
 * The most runs read that are not in the daily sums yet, however far those are behind. A run takes some
 * 0.5 µs.
 */
const MAX_UNSUMMED_RUNS = 200_000;
const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

/**
 * A tenant's usage by day and definition, oldest day first. Where the daily sums are so far behind that more
 * than 200,000 runs are in none, the oldest of those are counted and `exactBefore` lies in the past.
 * @throws DomainError `Forbidden` below `tenant_admin`; `InvalidArgument` for a range that is reversed or
 *   longer than 366 days
 */
export const findUsage = defineUseCase(
  { name: 'findUsage', role: 'tenant_admin', scope: 'admin', toDo: 'see what a tenant used', cost: 50 },
  async (reads: ReadTransaction, _caller: Caller, range: UsageRange): Promise<Usage> => {
    const [from, to] = [dayOf(range.from), dayOf(range.to)];
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
    if (!(days >= 1 && days <= MAX_DAYS)) {
      const allowed = `1 to ${MAX_DAYS} days, from before to`;
      throw new DomainError(
        'InvalidArgument',
        `The range from ${from} to ${to} has ${days} days; allowed: ${allowed}.`,
        {
          field: 'to',
          allowed,
        },
      );
    }
    const keys = range.definitionKeys == null ? null : distinctValues('definitionKeys', range.definitionKeys);
    const rows = await reads.query<SumUsageRow>(sumUsage, [from, to, keys, MAX_UNSUMMED_RUNS]);
    const amounts = await reads.query<UsageAmountRow>(sumUsageAmounts, [from, to, keys]);
    const [first] = rows as [SumUsageRow, ...SumUsageRow[]];
    return {
      exactBefore: first.exact_until,
      days: byDay(
        rows.filter((row) => row.day !== null),
        amounts,
      ),
    };
  },
);

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function byDay(rows: readonly UsageSumRow[], amounts: readonly UsageAmountRow[]): readonly UsageDay[] {
  const placeOf = (row: UsageSumRow | UsageAmountRow): string => `${row.day} ${row.definition_key}`;
  const groups = Map.groupBy(rows, placeOf);
  const amountsOf = Map.groupBy(amounts, placeOf);
  // A run that was paid for may have been lost, or end on the next day.
  const places = [...new Set([...groups.keys(), ...amountsOf.keys()])].sort();
  const total = (group: readonly UsageSumRow[], column: 'runs' | 'wall_ms' | 'cpu_ms' | 'cpu_runs'): bigint =>
    group.reduce((sum, row) => sum + BigInt(row[column]), 0n);
  return places.map((place) => {
    const group = groups.get(place) ?? [];
    const paid = amountsOf.get(place) ?? [];
    const first = (group[0] ?? paid[0]) as UsageSumRow | UsageAmountRow;
    const cpuMeasuredRuns = total(group, 'cpu_runs');
    return {
      day: first.day,
      definitionId: first.definition_id,
      definitionKey: first.definition_key,
      runs: total(group, 'runs'),
      runsByOutcome: group.map((row) => ({ outcome: row.outcome as UsageOutcome, runs: BigInt(row.runs) })),
      wallMs: total(group, 'wall_ms'),
      cpuMs: cpuMeasuredRuns === 0n ? null : total(group, 'cpu_ms'),
      cpuMeasuredRuns,
      amounts: paid.map(({ unit, amount }) => ({ unit: unit as UsageUnit, amount: BigInt(amount) })),
    };
  });
}
