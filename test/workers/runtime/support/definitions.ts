import { Type } from 'typebox';
import { defineJob } from '../../../../src/core/definition.ts';

const anything = Type.Any();
const noWait = { baseSeconds: 0.05, factor: 1, jitter: 0 } as const;

/** A job whose handler each test writes for itself. */
export const task = defineJob({
  key: 'task',
  payload: anything,
  leaseSeconds: 2,
  timeoutSeconds: 60,
  maxAttempts: 3,
  retryPolicy: noWait,
});

/**
 * One with a lease between the two: shorter than an outage that a test makes, long enough for a busy machine
 * to renew.
 */
export const patient = defineJob({ ...task, key: 'patient', leaseSeconds: 4 });

/** One that times out after a second. */
export const brief = defineJob({
  key: 'brief',
  payload: anything,
  leaseSeconds: 2,
  timeoutSeconds: 1,
  maxAttempts: 2,
  retryPolicy: noWait,
});

/** One that may snooze twice, and takes a number. */
export const poll = defineJob({
  key: 'poll',
  payload: Type.Object(
    { n: Type.Integer({ minimum: 0 }), unit: Type.String({ default: 's' }) },
    { additionalProperties: false },
  ),
  leaseSeconds: 2,
  maxSnoozes: 2,
  retryPolicy: noWait,
});

/** One with a lease as long as real ones have. */
export const steady = defineJob({
  key: 'steady',
  payload: anything,
  leaseSeconds: 10,
  timeoutSeconds: 60,
  maxAttempts: 3,
  retryPolicy: noWait,
});

export const definitions = [task, patient, brief, poll, steady];
