import { describe, expect, it } from 'vitest';
import { figureOf, isReached } from '../../bench/measuring/figure.ts';
import { interleavedPairs } from '../../bench/measuring/pairs.ts';
import { bootstrapInterval, median, quantile, seededRandom } from '../../bench/measuring/statistics.ts';

const figure = (value: number, high: number, goal: number | null) => ({
  name: 'x',
  unit: 'ms' as const,
  value,
  interval: { low: value, high },
  goal,
  sampleCount: 9,
});

describe('the statistics of a benchmark', () => {
  it('interpolate a quantile between neighbours, whatever the order of the samples', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(quantile([10, 20, 30, 40, 50], 0.9)).toBeCloseTo(46);
    expect(quantile([7], 0.99)).toBe(7);
    expect(() => quantile([], 0.5)).toThrow('no samples');
  });

  it('sort numbers as numbers', () => {
    expect(median([10, 9, 100])).toBe(10);
  });

  it('give the same bootstrap interval for the same samples, around the statistic', () => {
    const random = seededRandom(7);
    const samples = Array.from({ length: 50 }, () => 10 + random());
    const interval = bootstrapInterval(samples, median);
    expect(bootstrapInterval(samples, median)).toEqual(interval);
    expect(interval.low).toBeLessThan(median(samples));
    expect(interval.high).toBeGreaterThan(median(samples));
  });

  it('cover the true median in about nine of ten intervals', () => {
    const random = seededRandom(1);
    let covered = 0;
    for (let round = 0; round < 200; round++) {
      const { low, high } = bootstrapInterval(
        Array.from({ length: 15 }, () => random()),
        median,
      );
      if (low <= 0.5 && 0.5 <= high) covered++;
    }
    expect(covered).toBeGreaterThan(165);
    expect(covered).toBeLessThan(200);
  });

  it('give no width to samples that are all alike', () => {
    expect(bootstrapInterval([2, 2, 2], median)).toEqual({ low: 2, high: 2 });
  });
});

describe('a goal', () => {
  it('is reached when the figure meets it and the worse end of its interval is within a tenth of it', () => {
    expect(isReached(figure(3, 3.3, 3))).toBe(true);
    expect(isReached(figure(2.9, 3.31, 3))).toBe(false);
    expect(isReached(figure(3.01, 3.02, 3))).toBe(false);
    expect(isReached(figure(3, 3, null))).toBe(null);
  });

  it('is judged by the statistic that the figure was made with', () => {
    const samples = Array.from({ length: 100 }, (_, index) => index);
    const p99 = figureOf({ name: 'p99', unit: 'ms', goal: 50 }, samples, (all) => quantile(all, 0.99));
    expect(p99.value).toBeCloseTo(98.01);
    expect(isReached(p99)).toBe(false);
  });
});

describe('interleaved pairs', () => {
  it('run A B B A A B, and keep the sides apart', async () => {
    const order: string[] = [];
    const side = (name: string) => async () => {
      order.push(name);
      return name;
    };
    const pairs = await interleavedPairs(3, side('A'), side('B'));
    expect(order).toEqual(['A', 'B', 'B', 'A', 'A', 'B']);
    expect(pairs).toEqual(Array.from({ length: 3 }, () => ({ a: 'A', b: 'B' })));
  });
});
