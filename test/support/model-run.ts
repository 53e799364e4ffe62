import type { ModelRun } from '../model/property.ts';

/**
 * How long the model is compared with the queue: some seconds, or what MILLRACE_MODEL_SECONDS says, with the
 * seed of MILLRACE_MODEL_SEED to see a failure again.
 */
export function modelRun(): ModelRun {
  const seconds = Number(process.env['MILLRACE_MODEL_SECONDS'] ?? 7);
  const seed = process.env['MILLRACE_MODEL_SEED'];
  return {
    sequences: seconds * 100,
    steps: 60,
    limitMs: seconds * 1000,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
