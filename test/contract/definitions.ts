import { Type } from 'typebox';
import { defineJob } from '../../src/core/definition.ts';

const payload = Type.Any();

/** What an engine must know to be put to the contract. */
export const plain = defineJob({ key: 'plain', payload, leaseSeconds: 30, maxAttempts: 3 });
export const other = defineJob({ key: 'other', payload, leaseSeconds: 30, maxAttempts: 3 });
export const threeAtATime = defineJob({ key: 'three-at-a-time', payload, leaseSeconds: 30, maxRunning: 3 });
export const onePerTenant = defineJob({
  key: 'one-per-tenant',
  payload,
  leaseSeconds: 30,
  maxRunningPerTenant: 1,
});

export const contractDefinitions = [plain, other, threeAtATime, onePerTenant];
