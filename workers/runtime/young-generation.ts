import v8 from 'node:v8';

/**
 * Both halves together. Each time it is full, what is claimed and not settled yet is copied: at half the
 * size, and so twice as often, that costs a no-op job an eighth more of the worker's CPU (32 and 28 µs,
 * medians of ten drains). Half as much again gains nothing.
 */
const ENOUGH_BYTES = 16 * 1024 * 1024;
/** In fewer looks a stream of small jobs would make it grow to four times as much in between. */
const LOOK_EVERY_MS = 250;

/**
 * Keeps V8's young generation small, for a process that is a worker and nothing else. A job's few objects
 * live for some 50 ms, which makes V8 grow it to 160 MB under a stream of small jobs: 244 MB of a worker in
 * all, 151 with this, at the same CPU time. It can be said while the process runs, unlike
 * `--max-semi-space-size`; said once and for all it would also forbid to grow again what V8 makes tiny when
 * it clears up behind an idle process.
 */
export function boundYoungGeneration(): void {
  let factor = 0;
  const look = (): void => {
    const space = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const wanted = (space?.space_size ?? ENOUGH_BYTES) >= ENOUGH_BYTES ? 1 : 2;
    if (wanted !== factor) v8.setFlagsFromString(`--semi-space-growth-factor=${wanted}`);
    factor = wanted;
  };
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
}
