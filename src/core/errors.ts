import { textOf } from './text-of.ts';

/**
 * Every expected failure of the platform. The API turns each into a typed result; anything else is masked.
 */
export type DomainErrorCode =
  | 'UnknownDefinition'
  | 'DefinitionInactive'
  | 'InvalidPayload'
  | 'PayloadTooLarge'
  | 'UnknownTenant'
  | 'InvalidArgument'
  | 'NotFound'
  | 'Forbidden'
  | 'Unauthenticated'
  | 'WrongState'
  | 'AlreadyExists'
  | 'StillRunning'
  | 'ActiveDuplicate'
  | 'DedupeBusy'
  | 'Busy'
  | 'WaitTimeout'
  | 'SlowConsumer'
  | 'TooManySubscriptions'
  | 'RateLimited'
  | 'PersistedOnly'
  | 'NotOwner'
  | 'LostLease'
  | 'IdempotencyKeyInUse'
  | 'IdempotencyKeyReused'
  | 'PreconditionFailed'
  | 'ResyncRequired'
  | 'InvalidKey'
  | 'ObjectNotFound'
  | 'ObjectTooLarge'
  | 'QuotaExceeded'
  | 'StorageUnavailable'
  | 'InvalidSignature'
  | 'ConfigInvalid'
  | 'RegistryInvalid'
  | 'DatabaseUnsupported'
  | 'MigrationEdited'
  | 'DataDirInUse'
  | 'ToolMissing';

/**
 * What an error says beside its message: the field at fault and what would have been allowed, where there is
 * one.
 */
export interface DomainErrorDetails {
  /** Path of the offending field, e.g. `payload.message` or `first`. */
  readonly field?: string;
  /** What is allowed there, in words or as a list. */
  readonly allowed?: string;
  /** Words of an enum that the message and `allowed` hold: the GraphQL API writes them as its enums do. */
  readonly enumWords?: readonly string[];
  readonly [detail: string]: unknown;
}

/** An expected failure: a closed code, a message with the offending value, and details a program can read. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly details: DomainErrorDetails;

  constructor(code: DomainErrorCode, message: string, details: DomainErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = code;
    this.code = code;
    this.details = details;
  }
}

/**
 * Thrown by a handler: the job goes to `failed` at once and is not retried. `type` is kept in the job's error
 * (the video system's contract names `S3ObjectNotFound`, invalid payload, constraint and authorisation
 * failures).
 */
export class PermanentError extends Error {
  readonly type: string;

  constructor(type: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PermanentError';
    this.type = type;
  }
}

/**
 * Thrown by a handler: retry after this many seconds instead of the policy's delay. The budget is spent all
 * the same.
 */
export class RetryAfter extends Error {
  readonly delaySeconds: number;

  constructor(delaySeconds: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RetryAfter';
    this.delaySeconds = delaySeconds;
  }
}

/**
 * Any thrown thing as an `Error` whose name and message are texts; strings and objects keep what they said.
 * An error that is none of these already (a field `message` that TypeScript declares over the one of `Error`,
 * a getter that throws) is copied, as one of its own class where that is ours. Never throws.
 */
export function toError(thrown: unknown): Error {
  if (typeof thrown === 'string') return new Error(thrown);
  try {
    if (!(thrown instanceof Error)) return new Error(`Thrown: ${textOf(thrown)}`);
    return isReadable(thrown) ? thrown : readableCopy(thrown);
  } catch {
    return new Error('Thrown: an object that cannot be read');
  }
}

function isReadable(error: Error): boolean {
  try {
    const { name, message } = error;
    if (typeof name !== 'string' || typeof message !== 'string') return false;
    return !(error instanceof PermanentError) || typeof error.type === 'string';
  } catch {
    return false;
  }
}

function readableCopy(error: Error): Error {
  const message = fieldText(error, 'message');
  if (error instanceof PermanentError)
    return new PermanentError(fieldText(error, 'type') || 'PermanentError', message);
  if (error instanceof RetryAfter) return new RetryAfter(error.delaySeconds, message);
  const copy = new Error(message);
  copy.name = fieldText(error, 'name') || 'Error';
  const code = fieldText(error, 'code');
  return code === '' ? copy : Object.assign(copy, { code });
}

/** Empty where there is none, or it cannot be read. */
function fieldText(error: Error, field: string): string {
  try {
    const value = (error as unknown as Record<string, unknown>)[field];
    return value == null ? '' : textOf(value);
  } catch {
    return '';
  }
}
