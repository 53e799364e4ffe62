import type { DomainErrorCode } from './errors.ts';

/** What an expected failure is over HTTP, and in words that do not depend on the request. */
export interface ErrorEntry {
  readonly status: number;
  readonly title: string;
}

/**
 * Every expected failure, for GraphQL and REST alike: GraphQL shows `title` as the description of its type,
 * REST as the title of its problem. Status 500: a failure that a request cannot cause, so its words are not
 * for the client.
 */
export const ERROR_TABLE = {
  InvalidPayload: {
    status: 400,
    title: 'The payload does not match the definition’s JSON Schema; nothing was written.',
  },
  InvalidArgument: { status: 400, title: 'A value is out of range or malformed.' },
  InvalidKey: { status: 400, title: 'The name of an object is malformed.' },
  Unauthenticated: { status: 401, title: 'The credential is missing, unknown, expired or revoked.' },
  Forbidden: { status: 403, title: 'The caller’s role does not allow it; `allowed` says which would.' },
  PersistedOnly: { status: 403, title: 'The caller may run registered GraphQL operations alone.' },
  InvalidSignature: { status: 403, title: 'The signature is wrong or has expired.' },
  UnknownDefinition: { status: 404, title: 'There is no job definition of that key.' },
  UnknownTenant: { status: 404, title: 'There is no such tenant.' },
  NotFound: { status: 404, title: 'It is not there, or belongs to another tenant.' },
  ObjectNotFound: { status: 404, title: 'No file has been uploaded yet.' },
  DefinitionInactive: { status: 409, title: 'The job definition takes no new jobs.' },
  WrongState: { status: 409, title: 'The job’s status does not allow it.' },
  AlreadyExists: { status: 409, title: 'It is there already, and is another one; `allowed` says which.' },
  StillRunning: { status: 409, title: 'The job is running; cancel it first.' },
  ActiveDuplicate: { status: 409, title: 'Another job with the same dedupe key is active.' },
  NotOwner: { status: 409, title: 'Somebody else holds it.' },
  LostLease: { status: 409, title: 'The lease has ended, and another run may have begun.' },
  IdempotencyKeyInUse: { status: 409, title: 'A request with the same idempotency key is still running.' },
  ResyncRequired: { status: 410, title: 'The cursor is too old to go on from; begin again.' },
  PreconditionFailed: { status: 412, title: 'It has changed since the version that `If-Match` names.' },
  ObjectTooLarge: { status: 413, title: 'The file is larger than this installation takes.' },
  PayloadTooLarge: {
    status: 413,
    title:
      'The payload is larger than this installation takes; `message` names its size, `allowed` the limit.',
  },
  QuotaExceeded: {
    status: 413,
    title:
      'The tenant’s storage has no room for it; `allowed` says how much there is, `Tenant.storage` what is used.',
  },
  IdempotencyKeyReused: { status: 422, title: 'The idempotency key was used for another request.' },
  TooManySubscriptions: { status: 429, title: 'Too many streams are open.' },
  RateLimited: { status: 429, title: 'The caller or its tenant asks too much; wait for `Retry-After`.' },
  DedupeBusy: { status: 503, title: 'Another transaction holds the dedupe key just now; try again.' },
  Busy: { status: 503, title: 'Another transaction holds it just now, and nothing was done; try again.' },
  StorageUnavailable: { status: 503, title: 'The object storage does not answer.' },
  SlowConsumer: { status: 503, title: 'The client does not keep up with its stream.' },
  WaitTimeout: { status: 504, title: 'It has not ended within the time.' },
  ConfigInvalid: { status: 500, title: 'The configuration is wrong.' },
  RegistryInvalid: { status: 500, title: 'The registry of jobs is wrong.' },
  DatabaseUnsupported: { status: 500, title: 'The database is of another version.' },
  MigrationEdited: { status: 500, title: 'A migration was edited.' },
  DataDirInUse: { status: 500, title: 'The data directory is in use.' },
  ToolMissing: { status: 500, title: 'A program is missing.' },
} as const satisfies Readonly<Record<DomainErrorCode, ErrorEntry>>;
