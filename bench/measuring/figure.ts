import { bootstrapInterval, type Interval, median, type Statistic } from './statistics.ts';

/** One measured figure beside its goal. */
export interface Figure {
  readonly name: string;
  /** Empty for a bare number. */
  readonly unit: 'ms' | 's' | 'MB' | 'KiB' | 'bytes' | '×' | 'jobs/s' | '%' | '';
  readonly value: number;
  readonly interval: Interval;
  /** The most it may be; null for a figure that is printed for orientation. */
  readonly goal: number | null;
  readonly sampleCount: number;
}

/** The worse end of the interval may miss the goal by this much. */
const TOLERANCE = 1.1;

/**
 * Makes a figure of samples: a statistic of them with its 90 % bootstrap interval.
 * @param statistic the median by default
 */
export function figureOf(
  about: Pick<Figure, 'name' | 'unit' | 'goal'>,
  samples: readonly number[],
  statistic: Statistic = median,
): Figure {
  return {
    ...about,
    value: statistic(samples),
    interval: bootstrapInterval(samples, statistic),
    sampleCount: samples.length,
  };
}

/**
 * Reached: the figure meets the goal, and the worse end of its interval is within 10 % of it. Null without a
 * goal.
 */
export function isReached({ value, interval, goal }: Figure): boolean | null {
  if (goal === null) return null;
  return value <= goal && interval.high <= goal * TOLERANCE;
}

/** The figure as a line for people. */
export function describeFigure(figure: Figure): string {
  const { name, unit, value, interval, goal, sampleCount } = figure;
  const shown = `${rounded(value)} ${unit} [${rounded(interval.low)} … ${rounded(interval.high)}] of ${sampleCount}`;
  if (goal === null) return `  ${name}: ${shown}`;
  return `  ${name}: ${shown}; goal ≤ ${goal} ${unit}: ${isReached(figure) === true ? 'reached' : 'NOT reached'}`;
}

/** Four digits that count, without an exponent. */
export function rounded(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1000) return Math.round(value).toString();
  return value.toFixed(magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3);
}
