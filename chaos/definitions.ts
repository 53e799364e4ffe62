import { Type } from 'typebox';
import { defineJob } from '../src/core/definition.ts';

/** What a job does, decided when it is planned. */
export const payload = Type.Object(
  {
    /** Its place in the plan. */
    n: Type.Integer(),
    ms: Type.Number(),
    /** Runs that end in an error before one may end well. */
    fails: Type.Integer(),
    /** Ends in an error that is not retried. */
    permanent: Type.Boolean(),
    /** Runs at the beginning that only look and come back. */
    snoozes: Type.Integer(),
    /** Ignores that it is asked to stop. */
    deaf: Type.Boolean(),
    /** Of a triggered job: the event's number, or the tick's time. */
    of: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

// Leases as short as they may be, so that many end while the suite runs.
const common = {
  payload,
  leaseSeconds: 2,
  timeoutSeconds: 60,
  maxAttempts: 4,
  retryPolicy: { baseSeconds: 0.1, factor: 2, capSeconds: 1, jitter: 0.5 },
  enqueueRole: 'member',
} as const;

export const free = defineJob({ ...common, key: 'chaos-free' });
export const scarce = defineJob({ ...common, key: 'chaos-scarce', maxRunning: 6 });
export const fair = defineJob({ ...common, key: 'chaos-fair', maxRunningPerTenant: 3 });

export const onEvent = defineJob({ ...common, key: 'chaos-event' });
export const onTick = defineJob({ ...common, key: 'chaos-tick' });

export const definitions = [free, scarce, fair, onEvent, onTick];
