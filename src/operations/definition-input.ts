import type { Role } from '../core/actor.ts';
import type { RateLimit } from '../core/definition.ts';
import type { RetryPolicy } from '../core/retry.ts';
import type { DefinitionSettings } from './definition-settings.ts';
import type { Patch } from './patch.ts';
import { refused } from './ranges.ts';

type Nullable<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Settings as callers give them. */
export interface DefinitionInput
  extends Omit<
    Patch<DefinitionSettings>,
    'enqueueRole' | 'retryPolicy' | 'rateLimit' | 'rateLimitPerTenant'
  > {
  readonly enqueueRole?: Role | null | undefined;
  readonly retryPolicy?: Nullable<RetryPolicy> | null | undefined;
  readonly rateLimit?: RateLimit | null | undefined;
  readonly rateLimitPerTenant?: RateLimit | null | undefined;
}

/**
 * Settings as the use-cases take them: of a retry policy the fields that are given.
 * @throws DomainError `InvalidArgument` for a role that enqueues nothing
 */
export function patchOf({ enqueueRole, retryPolicy, ...others }: DefinitionInput): Patch<DefinitionSettings> {
  if (enqueueRole === 'worker' || enqueueRole === 'super_admin')
    throw refused('enqueueRole', enqueueRole, 'member, tenant_admin', [
      enqueueRole,
      'member',
      'tenant_admin',
    ]);
  return {
    ...others,
    ...(enqueueRole !== undefined && { enqueueRole }),
    ...(retryPolicy !== undefined && {
      retryPolicy:
        retryPolicy === null
          ? null
          : (Object.fromEntries(
              Object.entries(retryPolicy).filter(([, value]) => value != null),
            ) as RetryPolicy),
    }),
  };
}
