import v8 from 'node:v8';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { trimHeapWhenIdle } from '../../../workers/runtime/trim-heap.ts';
import { boundYoungGeneration } from '../../../workers/runtime/young-generation.ts';

const MB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('trimHeapWhenIdle', () => {
  test('collects once behind a burst, when the worker has been idle for a while', () => {
    const rss = vi.spyOn(process.memoryUsage, 'rss').mockReturnValue(100 * MB);
    const flags = vi.spyOn(v8, 'setFlagsFromString');
    const collections = (): number => flags.mock.calls.filter(([flag]) => flag === '--expose-gc').length;
    const worker = { runningCount: 3 };
    trimHeapWhenIdle(worker);
    rss.mockReturnValue(160 * MB);
    vi.advanceTimersByTime(60_000);
    expect(collections()).toBe(0);

    worker.runningCount = 0;
    vi.advanceTimersByTime(2_000);
    expect(collections()).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(collections()).toBe(1);
    // What stays is somebody's.
    vi.advanceTimersByTime(60_000);
    expect(collections()).toBe(1);

    rss.mockReturnValue(110 * MB);
    vi.advanceTimersByTime(10_000);
    rss.mockReturnValue(140 * MB);
    vi.advanceTimersByTime(10_000);
    expect(collections()).toBe(2);
  });
});

describe('boundYoungGeneration', () => {
  test('lets it grow to its bound, and again after V8 has made it small', () => {
    let bytes = MB;
    vi.spyOn(v8, 'getHeapSpaceStatistics').mockImplementation(() => [
      {
        space_name: 'new_space',
        space_size: bytes,
        space_used_size: 0,
        space_available_size: 0,
        physical_space_size: 0,
      },
    ]);
    const flags = vi.spyOn(v8, 'setFlagsFromString').mockReturnValue();
    boundYoungGeneration();
    vi.advanceTimersByTime(1_000);
    bytes = 16 * MB;
    vi.advanceTimersByTime(1_000);
    bytes = MB;
    vi.advanceTimersByTime(1_000);
    expect(flags.mock.calls.map(([flag]) => flag)).toEqual([
      '--semi-space-growth-factor=2',
      '--semi-space-growth-factor=1',
      '--semi-space-growth-factor=2',
    ]);
  });
});
