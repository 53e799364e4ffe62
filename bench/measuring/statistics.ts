/** Two ends of an interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A figure computed from samples. */
export type Statistic = (samples: readonly number[]) => number;

const RESAMPLES = 1000;
const CONFIDENCE = 0.9;

/**
 * The value below which `share` (0 to 1) of the samples lie, interpolated between neighbours.
 * @throws Error without any sample
 */
export function quantile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new Error('There is no quantile of no samples');
  const sorted = Float64Array.from(samples).sort();
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] as number;
  const above = sorted[Math.ceil(position)] as number;
  return below + (above - below) * (position - Math.floor(position));
}

/** The middle of the samples. */
export const median: Statistic = (samples) => quantile(samples, 0.5);

/**
 * The 90 % bootstrap interval of a statistic: how far it moves when the samples are drawn again from
 * themselves. Seeded, so that the same samples give the same interval.
 */
export function bootstrapInterval(samples: readonly number[], statistic: Statistic): Interval {
  const random = seededRandom(samples.length);
  const figures = Array.from({ length: RESAMPLES }, () =>
    statistic(samples.map(() => samples[Math.floor(random() * samples.length)] as number)),
  );
  return {
    low: quantile(figures, (1 - CONFIDENCE) / 2),
    high: quantile(figures, (1 + CONFIDENCE) / 2),
  };
}

/** mulberry32: small, and good enough for drawing samples. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
