import { Type } from 'typebox';
import { defineJob, type JobDefinition } from '../../src/core/definition.ts';
import { type DefinitionKey, MAX_SNOOZES } from './model.ts';

// Leases longer than any sequence takes: they end when the sequence says so, never by themselves.
const common = { payload: Type.Any(), leaseSeconds: 600, enqueueRole: 'member' } as const;

export const definitions: readonly JobDefinition[] = [
  defineJob({
    ...common,
    key: 'eager',
    retryPolicy: { delaysSeconds: [0], jitter: 0 },
    maxSnoozes: MAX_SNOOZES.eager,
  }),
  defineJob({
    ...common,
    key: 'patient',
    retryPolicy: { delaysSeconds: [3600], jitter: 0 },
    maxSnoozes: MAX_SNOOZES.patient,
  }),
];

export function definitionOf(key: DefinitionKey): JobDefinition {
  const found = definitions.find((definition) => definition.key === key);
  if (found === undefined) throw new Error(`no definition ${key}`);
  return found;
}
