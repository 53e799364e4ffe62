import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { defineJob } from '../../src/core/definition.ts';

describe('defineJob', () => {
  test('fills in the defaults and freezes the definition', () => {
    const definition = defineJob({ key: 'sync-dropbox', payload: Type.Object({}) });
    expect(definition).toMatchObject({
      timeoutSeconds: 3600,
      maxAttempts: 3,
      leaseSeconds: 30,
      enqueueRole: 'tenant_admin',
    });
    expect(Object.isFrozen(definition)).toBe(true);
  });

  test.each([
    ['key', { key: 'Sync Dropbox' }],
    ['key', { key: '' }],
    ['timeoutSeconds', { timeoutSeconds: 0 }],
    ['timeoutSeconds', { timeoutSeconds: Number.NaN }],
    ['maxAttempts', { maxAttempts: 0 }],
    ['leaseSeconds', { leaseSeconds: 1 }],
    ['leaseSeconds', { leaseSeconds: 10.5 }],
    ['maxSnoozes', { maxSnoozes: -1 }],
    ['snoozeDeadlineSeconds', { snoozeDeadlineSeconds: 0 }],
    ['maxRunning', { maxRunning: 0 }],
    ['maxRunningPerTenant', { maxRunningPerTenant: 1.5 }],
    ['rateLimit.count', { rateLimit: { count: 0, periodSeconds: 1 } }],
    ['rateLimit.periodSeconds', { rateLimit: { count: 1, periodSeconds: 86_401 } }],
    ['rateLimitPerTenant.count', { rateLimitPerTenant: { count: Number.NaN, periodSeconds: 1 } }],
    ['retentionSeconds', { retentionSeconds: -1 }],
  ])('refuses a bad %s by name', (field, bad) => {
    expect(() => defineJob({ key: 'ok', payload: Type.Object({}), ...bad })).toThrow(
      expect.objectContaining({ code: 'InvalidArgument', details: expect.objectContaining({ field }) }),
    );
  });
});
