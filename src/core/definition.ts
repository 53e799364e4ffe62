import type { Static, TSchema } from 'typebox';
import { DomainError } from './errors.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry.ts';

/** N starts in a period (1 to 86,400 s). */
export interface RateLimit {
  readonly count: number;
  readonly periodSeconds: number;
}

/**
 * What a job definition declares: key, payload schema and limits. Synced to `millrace.job_definitions` at
 * start.
 */
export interface JobDefinition<P extends TSchema = TSchema> {
  /** `transcode`, `sync-dropbox`: 1 to 100 of a–z, 0–9, `_`, `-`, `.`, starting with a letter. */
  readonly key: string;
  readonly description: string;
  /** JSON Schema of the payload (TypeBox); checked before a job is written. */
  readonly payload: P;
  /** The handler is aborted after this many seconds, counted from its start. */
  readonly timeoutSeconds: number;
  /** Runs in all, the first included. */
  readonly maxAttempts: number;
  /**
   * How long a claim holds without renewal. 15 to 30 s suit most; renewed in the background at a third of it.
   */
  readonly leaseSeconds: number;
  readonly retryPolicy: RetryPolicy;
  /** Snoozes before the job ends as `failed: DeadlineExceeded`; null for no bound. */
  readonly maxSnoozes: number | null;
  /** A snoozing job ends as `failed: DeadlineExceeded` this long after it was queued; null for no bound. */
  readonly snoozeDeadlineSeconds: number | null;
  /** At most N run at a time, in all tenants together; null for no limit. */
  readonly maxRunning: number | null;
  /** The same for each tenant by itself. */
  readonly maxRunningPerTenant: number | null;
  /** At most `count` starts in `periodSeconds`, in all tenants together; null for no limit. */
  readonly rateLimit: RateLimit | null;
  /** The same for each tenant by itself. */
  readonly rateLimitPerTenant: RateLimit | null;
  /** How long finished jobs are kept; null: as the tenant or the configuration says. */
  readonly retentionSeconds: number | null;
  /** Who may enqueue it through the API: `member`, `tenant_admin` or, for Millrace itself only, `system`. */
  readonly enqueueRole: 'member' | 'tenant_admin' | 'system';
  /**
   * One active job per subject: another about the same is not put in, whatever its dedupe key. Kept by the
   * database.
   */
  readonly isSinglePerSubject: boolean;
  /**
   * Whether a file about its jobs' runs is written to the storage, where `MILLRACE_PIPELINE_LOGS` asks for
   * such files.
   */
  readonly hasLogFile: boolean;
  /**
   * Key of the definition of which a job is enqueued when one of these ends as `failed` or `dead_letter`, in
   * the same transaction. Its payload: `{ jobId, definition, subject, error, payload }`. Null for none.
   */
  readonly onFailure: string | null;
}

/** What follows the final failure of a definition's jobs, by their keys. */
export function failureJobsOf(definitions: readonly JobDefinition[]): ReadonlyMap<string, string> {
  return new Map(definitions.flatMap(({ key, onFailure }) => (onFailure === null ? [] : [[key, onFailure]])));
}

/** Keys of the definitions whose jobs have log files. */
export function loggedKeysOf(definitions: readonly JobDefinition[]): ReadonlySet<string> {
  return new Set(definitions.filter(({ hasLogFile }) => hasLogFile).map(({ key }) => key));
}

export type PayloadOf<D extends JobDefinition> = Static<D['payload']>;

const KEY_PATTERN = /^[a-z][a-z0-9_.-]{0,99}$/;

/**
 * What `defineJob` takes: key, description and payload; the rest has defaults (3 attempts, 1 h timeout, 30 s
 * lease).
 */
export type JobDefinitionInput<P extends TSchema> = Pick<JobDefinition<P>, 'key' | 'payload'> &
  Partial<JobDefinition<P>>;

/**
 * Declares a job definition.
 * @throws DomainError `InvalidArgument` naming the field when a value is out of range.
 */
export function defineJob<P extends TSchema>(input: JobDefinitionInput<P>): JobDefinition<P> {
  const definition: JobDefinition<P> = Object.freeze({
    description: '',
    timeoutSeconds: 3600,
    maxAttempts: 3,
    leaseSeconds: 30,
    retryPolicy: DEFAULT_RETRY_POLICY,
    maxSnoozes: null,
    snoozeDeadlineSeconds: null,
    maxRunning: null,
    maxRunningPerTenant: null,
    rateLimit: null,
    rateLimitPerTenant: null,
    retentionSeconds: null,
    enqueueRole: 'tenant_admin',
    isSinglePerSubject: false,
    hasLogFile: false,
    onFailure: null,
    ...input,
  });
  check(KEY_PATTERN.test(definition.key), 'key', definition.key, `must match ${KEY_PATTERN.source}`);
  if (definition.onFailure !== null)
    check(
      KEY_PATTERN.test(definition.onFailure),
      'onFailure',
      definition.onFailure,
      `must match ${KEY_PATTERN.source}`,
    );
  check(
    definition.onFailure !== definition.key,
    'onFailure',
    definition.onFailure,
    'the key of another definition',
  );
  checkWhole('timeoutSeconds', definition.timeoutSeconds, 1, 604_800);
  checkWhole('maxAttempts', definition.maxAttempts, 1, 1000);
  checkWhole('leaseSeconds', definition.leaseSeconds, 2, 3600);
  checkOptional('maxSnoozes', definition.maxSnoozes, 0, MAX_COUNT);
  checkOptional('snoozeDeadlineSeconds', definition.snoozeDeadlineSeconds, 1, MAX_COUNT);
  checkOptional('maxRunning', definition.maxRunning, 1, MAX_COUNT);
  checkOptional('maxRunningPerTenant', definition.maxRunningPerTenant, 1, MAX_COUNT);
  checkRate('rateLimit', definition.rateLimit);
  checkRate('rateLimitPerTenant', definition.rateLimitPerTenant);
  checkOptional('retentionSeconds', definition.retentionSeconds, 0, MAX_RETENTION_SECONDS);
  return definition;
}

/** What a column of type integer holds. */
const MAX_COUNT = 2_147_483_647;
/** A hundred years. */
const MAX_RETENTION_SECONDS = 3_155_760_000;
const MAX_PERIOD_SECONDS = 86_400;

function checkRate(field: string, rate: RateLimit | null): void {
  if (rate === null) return;
  checkWhole(`${field}.count`, rate.count, 1, MAX_COUNT);
  checkWhole(`${field}.periodSeconds`, rate.periodSeconds, 1, MAX_PERIOD_SECONDS);
}

function checkOptional(field: string, value: number | null, min: number, max: number): void {
  if (value !== null) checkWhole(field, value, min, max);
}

function checkWhole(field: string, value: number, min: number, max: number): void {
  check(
    Number.isInteger(value) && value >= min && value <= max,
    field,
    value,
    `whole numbers from ${min} to ${max}`,
  );
}

function check(ok: boolean, field: string, value: unknown, allowed: string): void {
  if (ok) return;
  throw new DomainError(
    'InvalidArgument',
    `Job definition: ${field} is ${JSON.stringify(value)}, allowed: ${allowed}`,
    { field, allowed },
  );
}
