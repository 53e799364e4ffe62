import type { DomainErrorCode } from '../core/errors.ts';

/** The HTTP status of each expected failure. 500: one that a request cannot cause, so its words are not for the client. */
const STATUSES: Readonly<Record<DomainErrorCode, number>> = {
  InvalidPayload: 400,
  InvalidArgument: 400,
  InvalidKey: 400,
  Unauthenticated: 401,
  Forbidden: 403,
  PersistedOnly: 403,
  InvalidSignature: 403,
  UnknownDefinition: 404,
  UnknownTenant: 404,
  NotFound: 404,
  ObjectNotFound: 404,
  DefinitionInactive: 409,
  WrongState: 409,
  AlreadyExists: 409,
  StillRunning: 409,
  ActiveDuplicate: 409,
  NotOwner: 409,
  LostLease: 409,
  ResyncRequired: 410,
  ObjectTooLarge: 413,
  PayloadTooLarge: 413,
  QuotaExceeded: 413,
  DedupeBusy: 503,
  Busy: 503,
  StorageUnavailable: 503,
  WaitTimeout: 504,
  SlowConsumer: 503,
  TooManySubscriptions: 429,
  RateLimited: 429,
  ConfigInvalid: 500,
  RegistryInvalid: 500,
  DatabaseUnsupported: 500,
  MigrationEdited: 500,
  DataDirInUse: 500,
  ToolMissing: 500,
};

export function statusOf(code: DomainErrorCode): number {
  return STATUSES[code];
}
