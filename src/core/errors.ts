/** Every expected failure of the platform. The API turns each into a typed result; anything else is masked. */
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
  | 'NotOwner'
  | 'LostLease'
  | 'ResyncRequired'
  | 'InvalidKey'
  | 'ObjectNotFound'
  | 'ObjectTooLarge'
  | 'StorageUnavailable'
  | 'InvalidSignature'
  | 'ConfigInvalid'
  | 'RegistryInvalid'
  | 'DatabaseUnsupported'
  | 'MigrationEdited'
  | 'DataDirInUse'
  | 'ToolMissing';

/** What an error says beside its message: the field at fault and what would have been allowed, where there is one. */
export interface DomainErrorDetails {
  /** Path of the offending field, e.g. `payload.message` or `first`. */
  readonly field?: string;
  /** What is allowed there, in words or as a list. */
  readonly allowed?: string;
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
 * (seed 001 names `S3ObjectNotFound`, invalid payload, constraint and authorisation failures).
 */
export class PermanentError extends Error {
  readonly type: string;

  constructor(type: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PermanentError';
    this.type = type;
  }
}

/** Thrown by a handler: retry after this many seconds instead of the policy's delay. The budget is spent all the same. */
export class RetryAfter extends Error {
  readonly delaySeconds: number;

  constructor(delaySeconds: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RetryAfter';
    this.delaySeconds = delaySeconds;
  }
}

/** Any thrown thing as an `Error`; strings and objects keep what they said. */
export function toError(thrown: unknown): Error {
  if (typeof thrown === 'string') return new Error(thrown);
  try {
    return thrown instanceof Error ? thrown : new Error(`Thrown: ${JSON.stringify(thrown)}`);
  } catch {
    return new Error(`Thrown: ${nameOf(thrown)}`);
  }
}

/** Not String(thrown): an object without a prototype has nothing that would write it. A revoked proxy has not even this. */
function nameOf(thrown: unknown): string {
  try {
    return Object.prototype.toString.call(thrown);
  } catch {
    return 'an object that tells nothing of itself';
  }
}
