import { done, snoozed } from '../../../src/core/outcome.ts';
import { register } from '../../../workers/registry.ts';
import { parcelJoin, parcelSplit, parcelWeigh } from './parcel-definitions.ts';

/** The scales are taken when a job first asks for them. */
const SNOOZE_SECONDS = 0.2;

const split = register(parcelSplit, async () => async ({ payload }) => {
  const numbers = Array.from({ length: payload.items }, (_, index) => index + 1);
  const weigh = numbers.map((number) => ({
    definition: parcelWeigh.key,
    key: `item ${number}`,
    payload: { parcel_id: payload.parcel_id, number },
  }));
  const join = {
    definition: parcelJoin.key,
    after: weigh.map(({ key }) => key),
    payload: { parcel_id: payload.parcel_id },
  };
  return done({ items: payload.items }, { next: [...weigh, join] });
});

const weigh = register(parcelWeigh, async () => async ({ payload, runNo }) => {
  if (runNo === 1) return snoozed(SNOOZE_SECONDS, 'the scales are taken');
  return done({ number: payload.number, weightGrams: 100 * payload.number });
});

const join = register(parcelJoin, async () => async () => done({ closed: true }));

export const parcelRegistrations = [split, weigh, join];
