import { bounded } from '../../core/bounded-text.ts';
import { ERROR_TABLE } from '../../core/error-table.ts';
import { DomainError, type DomainErrorCode } from '../../core/errors.ts';
import type { JobStatus } from '../../core/job.ts';
import type { PayloadProblem } from '../../jobs/payload-problems.ts';
import { argumentPath } from '../argument-path.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { allowedOf, messageOf } from '../enum-words.ts';
import { JobStatusEnum, valuesOf } from './enums.ts';
import { JobType } from './job.ts';

/** What a mutation may answer instead of its payload, each a type of its own. */
const FAILURES = {
  UnknownDefinition: ERROR_TABLE.UnknownDefinition.title,
  DefinitionInactive: ERROR_TABLE.DefinitionInactive.title,
  InvalidPayload: ERROR_TABLE.InvalidPayload.title,
  InvalidArgument: ERROR_TABLE.InvalidArgument.title,
  PayloadTooLarge: ERROR_TABLE.PayloadTooLarge.title,
  NotFound: ERROR_TABLE.NotFound.title,
  Forbidden: ERROR_TABLE.Forbidden.title,
  WrongState: ERROR_TABLE.WrongState.title,
  StillRunning: ERROR_TABLE.StillRunning.title,
  ActiveDuplicate: ERROR_TABLE.ActiveDuplicate.title,
  DedupeBusy: ERROR_TABLE.DedupeBusy.title,
  Busy: ERROR_TABLE.Busy.title,
  ObjectNotFound: ERROR_TABLE.ObjectNotFound.title,
  ObjectTooLarge: ERROR_TABLE.ObjectTooLarge.title,
  QuotaExceeded: ERROR_TABLE.QuotaExceeded.title,
  LostLease: ERROR_TABLE.LostLease.title,
  AlreadyExists: ERROR_TABLE.AlreadyExists.title,
} as const satisfies Partial<Record<DomainErrorCode, string>>;
type FailureCode = keyof typeof FAILURES;

const FailureCodeEnum = builder.enumType('DomainFailureCode', {
  description: 'What is wrong, for programs. Each code is that of one type: `NOT_FOUND` of `NotFoundError`.',
  values: valuesOf(Object.keys(FAILURES) as FailureCode[], FAILURES),
});

const DomainFailure = builder.interfaceRef<DomainError>('DomainFailure').implement({
  description:
    'A failure that a client can do something about. Unexpected ones are top-level errors with a reference.',
  fields: (t) => ({
    code: t.field({
      type: FailureCodeEnum,
      description: 'What is wrong, for programs.',
      resolve: ({ code }) => code as FailureCode,
    }),
    message: t.string({
      description: 'What is wrong, for people.',
      resolve: (error) => bounded(messageOf(error)),
    }),
    field: t.string({
      nullable: true,
      description: 'The argument at fault, as a path: `input.payload.steps[2]`.',
      resolve: ({ details: { field } }, _args, _context, { path }) =>
        field && bounded(argumentPath(field, path)),
    }),
    allowed: t.string({
      nullable: true,
      description: 'What would have been taken there.',
      resolve: (error) => {
        const allowed = allowedOf(error);
        return allowed && bounded(allowed);
      },
    }),
  }),
});

/**
 * The class behind a member of a result union. The errors plugin asks `instanceof`; there is one class of
 * errors with a closed list of codes, so each member answers by code.
 */
function withCode(code: FailureCode): new () => DomainError {
  return class extends DomainError {
    constructor() {
      super(code, code);
    }
    static override [Symbol.hasInstance](thrown: unknown): boolean {
      return thrown instanceof DomainError && thrown.code === code;
    }
  };
}

function simple(code: FailureCode): new () => DomainError {
  const type = withCode(code);
  builder.objectType(type, {
    name: `${code}Error`,
    description: FAILURES[code],
    interfaces: [DomainFailure],
  });
  return type;
}

export const UnknownDefinition = simple('UnknownDefinition');
export const DefinitionInactive = simple('DefinitionInactive');
export const InvalidArgument = simple('InvalidArgument');
export const PayloadTooLarge = simple('PayloadTooLarge');
export const NotFound = simple('NotFound');
export const Forbidden = simple('Forbidden');
export const StillRunning = simple('StillRunning');
export const DedupeBusy = simple('DedupeBusy');
export const Busy = simple('Busy');
export const ObjectNotFound = simple('ObjectNotFound');
export const AlreadyExists = simple('AlreadyExists');
export const LostLease = simple('LostLease');
export const ObjectTooLarge = simple('ObjectTooLarge');
export const QuotaExceeded = simple('QuotaExceeded');

const PayloadProblemType = builder.objectRef<PayloadProblem>('PayloadProblem').implement({
  description: 'One thing that a definition’s schema does not take.',
  fields: (t) => ({
    field: t.string({
      description: 'The argument at fault, as a path: `input.payload.items[3].url`.',
      resolve: ({ field }, _args, _context, { path }) => bounded(argumentPath(field, path)),
    }),
    message: t.string({ description: 'What is wrong there.', resolve: ({ message }) => bounded(message) }),
    allowed: t.string({
      description: 'What would have been taken there.',
      resolve: ({ allowed }) => bounded(allowed),
    }),
  }),
});

export const InvalidPayload = withCode('InvalidPayload');
builder.objectType(InvalidPayload, {
  name: 'InvalidPayloadError',
  description: FAILURES.InvalidPayload,
  interfaces: [DomainFailure],
  fields: (t) => ({
    problems: t.field({
      type: [PayloadProblemType],
      description: 'All that is wrong, at most 20; the first one is in `field` and `allowed`.',
      resolve: (error) => (error.details['problems'] as PayloadProblem[] | undefined) ?? [],
    }),
  }),
});

export const WrongState = withCode('WrongState');
builder.objectType(WrongState, {
  name: 'WrongStateError',
  description: FAILURES.WrongState,
  interfaces: [DomainFailure],
  fields: (t) => ({
    status: t.field({
      type: JobStatusEnum,
      description: 'The status it has.',
      resolve: (error) => error.details['status'] as JobStatus,
    }),
  }),
});

export const ActiveDuplicate = withCode('ActiveDuplicate');
builder.objectType(ActiveDuplicate, {
  name: 'ActiveDuplicateError',
  description: FAILURES.ActiveDuplicate,
  interfaces: [DomainFailure],
  fields: (t) => ({
    // Not `job`: that is not null in the mutation's payload, and one document could then not ask both.
    activeJob: t.field({
      type: JobType,
      nullable: true,
      description: 'The active job.',
      resolve: (error, _args, context) => loadersOf(context).job.load(error.details['jobId'] as string),
    }),
  }),
});
