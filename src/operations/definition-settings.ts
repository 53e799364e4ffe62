import type { JobDefinition, RateLimit } from '../core/definition.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from '../core/retry.ts';
import { checkPayloadSchema } from './check-payload-schema.ts';
import { checkRetryPolicy } from './check-retry-policy.ts';
import type { Patch } from './patch.ts';
import {
  checkNotNull,
  checkNumber,
  checkRate,
  MAX_RETENTION_SECONDS,
  MAX_RUNNING,
  refused,
} from './ranges.ts';

/**
 * What an operator may set of a definition, by the names that `declared` and `override` have; null: no limit.
 */
export interface DefinitionSettings {
  readonly description: string;
  /** JSON Schema 2020-12. */
  readonly payloadSchema: unknown;
  readonly timeoutSeconds: number;
  readonly maxAttempts: number;
  readonly leaseSeconds: number;
  readonly retryPolicy: RetryPolicy;
  readonly maxSnoozes: number | null;
  readonly snoozeDeadlineSeconds: number | null;
  readonly enqueueRole: JobDefinition['enqueueRole'];
  /** Whether it takes new jobs. */
  readonly isActive: boolean;
  readonly maxRunning: number | null;
  readonly maxRunningPerTenant: number | null;
  readonly rateLimit: RateLimit | null;
  readonly rateLimitPerTenant: RateLimit | null;
  readonly retentionSeconds: number | null;
}

/** The values of settings that neither code nor an operator has given. */
export const DEFAULT_SETTINGS: DefinitionSettings = {
  description: '',
  payloadSchema: {},
  timeoutSeconds: 3600,
  maxAttempts: 3,
  leaseSeconds: 30,
  retryPolicy: DEFAULT_RETRY_POLICY,
  maxSnoozes: null,
  snoozeDeadlineSeconds: null,
  enqueueRole: 'tenant_admin',
  isActive: true,
  maxRunning: null,
  maxRunningPerTenant: null,
  rateLimit: null,
  rateLimitPerTenant: null,
  retentionSeconds: null,
};

export const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as readonly (keyof DefinitionSettings)[];

/** What is in force: the operator's value where there is one, else the declared one, else the default. */
export function settingsInForce(
  declared: Readonly<Record<string, unknown>> | null,
  override: Readonly<Record<string, unknown>>,
): DefinitionSettings {
  const given = { ...DEFAULT_SETTINGS, ...declared, ...override };
  return Object.fromEntries(
    SETTING_NAMES.map((name) => [name, given[name]]),
  ) as unknown as DefinitionSettings;
}

const MAX_COUNT = 2_147_483_647;
const MAX_DESCRIPTION_LENGTH = 2000;
/** Settings that are always something. */
const REQUIRED = {
  description: `a text of at most ${MAX_DESCRIPTION_LENGTH} characters`,
  payloadSchema: 'a JSON Schema',
  timeoutSeconds: '1 to 604800',
  maxAttempts: '1 to 1000',
  leaseSeconds: '2 to 3600',
  retryPolicy: 'a retry policy',
  enqueueRole: 'member, tenant_admin',
  isActive: 'true, false',
} as const;

/** @throws DomainError `InvalidArgument` naming the setting at fault and what is allowed */
export function checkDefinitionSettings(patch: Patch<DefinitionSettings>): void {
  for (const [name, allowed] of Object.entries(REQUIRED))
    checkNotNull(name, patch[name as keyof typeof REQUIRED], allowed);
  const { description } = patch;
  if (description != null && (description.length > MAX_DESCRIPTION_LENGTH || description.includes('\0')))
    throw refused('description', `a text of ${description.length} characters`, REQUIRED.description);
  if (patch.payloadSchema !== undefined) checkPayloadSchema(patch.payloadSchema);
  checkNumber('timeoutSeconds', patch.timeoutSeconds, 1, 604_800);
  checkNumber('maxAttempts', patch.maxAttempts, 1, 1000);
  checkNumber('leaseSeconds', patch.leaseSeconds, 2, 3600);
  checkRetryPolicy(patch.retryPolicy);
  checkNumber('maxSnoozes', patch.maxSnoozes, 0, MAX_COUNT);
  checkNumber('snoozeDeadlineSeconds', patch.snoozeDeadlineSeconds, 1, MAX_COUNT);
  checkNumber('maxRunning', patch.maxRunning, 1, MAX_RUNNING);
  checkNumber('maxRunningPerTenant', patch.maxRunningPerTenant, 1, MAX_RUNNING);
  checkRate('rateLimit', patch.rateLimit);
  checkRate('rateLimitPerTenant', patch.rateLimitPerTenant);
  checkNumber('retentionSeconds', patch.retentionSeconds, 0, MAX_RETENTION_SECONDS);
}

/** What an audit entry shows of settings: a schema may have thousands of lines, so its size stands for it. */
export function settingsToAudit(settings: Partial<DefinitionSettings>): Readonly<Record<string, unknown>> {
  if (settings.payloadSchema === undefined) return { ...settings };
  return { ...settings, payloadSchema: `${JSON.stringify(settings.payloadSchema).length} characters` };
}
