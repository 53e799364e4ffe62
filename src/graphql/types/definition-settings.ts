import { type DefinitionSettings, SETTING_NAMES } from '../../operations/definition-settings.ts';
import { builder } from '../builder.ts';
import { enumName } from '../enum-name.ts';
import { RoleEnum } from './enums.ts';
import { RateLimitInput } from './rate-limit.ts';

const RetryPolicyInput = builder.inputType('RetryPolicyInput', {
  description:
    'When a failed run is tried again: after the n-th of `delaysSeconds`, or `baseSeconds` times `factor` to the power of the retry.',
  fields: (t) => ({
    delaysSeconds: t.floatList({
      description: 'Seconds before each retry; the last one repeats. At most 100.',
    }),
    baseSeconds: t.float({ description: 'Seconds before the first retry.' }),
    factor: t.float({ description: 'By how much each delay is longer than the one before: 1 to 1000.' }),
    exponentOffset: t.int({ description: 'Added to the number of the retry: -100 to 100.' }),
    capSeconds: t.float({ description: 'The longest delay.' }),
    jitter: t.float({ description: 'Share of the delay by which it varies each way: 0 to 1.' }),
    restOfLease: t.boolean({
      description: 'The next run begins when the lease of the failed one would have ended.',
    }),
  }),
});

/** Names of the settings as enum values: `TIMEOUT_SECONDS`. */
export const DefinitionSettingEnum = builder.enumType('JobDefinitionSetting', {
  description: 'A setting of a job definition.',
  values: Object.fromEntries(
    SETTING_NAMES.map((name) => [
      enumName(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
      { value: name, description: `\`${name}\`.` },
    ]),
  ) as Record<string, { value: keyof DefinitionSettings; description: string }>,
});

type InputBuilder = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** The fields by which a definition is made and changed. */
export function settingFields(t: InputBuilder) {
  return {
    description: t.string({ description: 'What it does: at most 2000 characters.' }),
    payloadSchema: t.field({ type: 'JSON', description: 'JSON Schema 2020-12 of the payload.' }),
    timeoutSeconds: t.int({ description: 'A run is ended after this many seconds: 1 to 604800.' }),
    maxAttempts: t.int({ description: 'Runs in all, the first included: 1 to 1000.' }),
    leaseSeconds: t.int({ description: 'Seconds after which a silent worker loses the job: 2 to 3600.' }),
    retryPolicy: t.field({ type: RetryPolicyInput, description: 'When a failed run is tried again.' }),
    maxSnoozes: t.int({ description: 'How often a run may put itself off: 0 to 2147483647.' }),
    snoozeDeadlineSeconds: t.int({
      description: 'How long after its enqueue a job may put itself off: 1 to 2147483647.',
    }),
    enqueueRole: t.field({
      type: RoleEnum,
      description: 'The weakest role that may enqueue it: MEMBER or TENANT_ADMIN.',
    }),
    isActive: t.boolean({ description: 'Whether it takes new jobs.' }),
    maxRunning: t.int({ description: 'Jobs that run at a time, in all tenants together: 1 to 1000000.' }),
    maxRunningPerTenant: t.int({ description: 'The same for each tenant by itself.' }),
    rateLimit: t.field({
      type: RateLimitInput,
      description: 'Starts in a period, in all tenants together.',
    }),
    rateLimitPerTenant: t.field({
      type: RateLimitInput,
      description: 'The same for each tenant by itself.',
    }),
    retentionSeconds: t.int({ description: 'How long finished jobs are kept: 0 to 2147483647.' }),
  };
}
