import { defineJob } from '../../../src/core/definition.ts';
import { Type } from '../../../src/core/payload-type.ts';

const PARCEL_ID = Type.String({ format: 'uuid' });
const BRIEF = { timeoutSeconds: 60, leaseSeconds: 5, enqueueRole: 'system' } as const;

/** Fans out: one job to weigh each item, and one that waits for all of them. */
export const parcelSplit = defineJob({
  key: 'parcel_split',
  description: 'Has each item of a parcel weighed.',
  payload: Type.Object({ parcel_id: PARCEL_ID, items: Type.Integer({ minimum: 1, maximum: 100 }) }),
  ...BRIEF,
});

/** Snoozes until the scales are free. */
export const parcelWeigh = defineJob({
  key: 'parcel_weigh',
  description: 'Weighs one item of a parcel.',
  payload: Type.Object({ parcel_id: PARCEL_ID, number: Type.Integer({ minimum: 1 }) }),
  ...BRIEF,
});

/** Joins: runs once all items are weighed. */
export const parcelJoin = defineJob({
  key: 'parcel_join',
  description: 'Closes a parcel whose items are weighed.',
  payload: Type.Object({ parcel_id: PARCEL_ID }),
  ...BRIEF,
});
