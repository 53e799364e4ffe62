import { DomainError, type DomainErrorCode } from '../../core/errors.ts';
import type { JobStatus } from '../../core/job.ts';
import type { PayloadProblem } from '../../jobs/payload-problems.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { JobStatusEnum } from './enums.ts';
import { JobType } from './job.ts';

/** A code as clients see it: `InvalidPayload` is `INVALID_PAYLOAD`. */
export function graphqlCode(code: DomainErrorCode): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

const DomainFailure = builder.interfaceRef<DomainError>('DomainFailure').implement({
  description:
    'A failure that a client can do something about. Unexpected ones are top-level errors with a reference.',
  fields: (t) => ({
    code: t.string({
      description: 'What is wrong, for programs: `UNKNOWN_DEFINITION`, `INVALID_PAYLOAD` …',
      resolve: (error) => graphqlCode(error.code),
    }),
    message: t.exposeString('message', { description: 'What is wrong, for people.' }),
    field: t.string({
      nullable: true,
      description: 'The input at fault, as a path: `payload.steps`.',
      resolve: (error) => error.details.field,
    }),
    allowed: t.string({
      nullable: true,
      description: 'What would have been taken there.',
      resolve: (error) => error.details.allowed,
    }),
  }),
});

/**
 * The class behind a member of a result union. The errors plugin asks `instanceof`; there is one class of errors with a
 * closed list of codes, so each member answers by code.
 */
function withCode(code: DomainErrorCode): new () => DomainError {
  return class extends DomainError {
    constructor() {
      super(code, code);
    }
    static override [Symbol.hasInstance](thrown: unknown): boolean {
      return thrown instanceof DomainError && thrown.code === code;
    }
  };
}

function simple(code: DomainErrorCode, description: string): new () => DomainError {
  const type = withCode(code);
  builder.objectType(type, { name: `${code}Error`, description, interfaces: [DomainFailure] });
  return type;
}

export const UnknownDefinition = simple('UnknownDefinition', 'There is no job definition of that key.');
export const DefinitionInactive = simple('DefinitionInactive', 'The job definition takes no new jobs.');
export const InvalidArgument = simple('InvalidArgument', 'A value is out of range or malformed.');
export const PayloadTooLarge = simple(
  'PayloadTooLarge',
  'The payload is larger than this installation takes; `message` names its size, `allowed` the limit.',
);
export const NotFound = simple('NotFound', 'It is not there, or belongs to another tenant.');
export const Forbidden = simple(
  'Forbidden',
  'The caller’s role does not allow it; `allowed` says which would.',
);
export const StillRunning = simple('StillRunning', 'The job is running; cancel it first.');
export const DedupeBusy = simple(
  'DedupeBusy',
  'Another transaction holds the dedupe key just now; try again.',
);
export const Busy = simple('Busy', 'Another transaction holds it just now, and nothing was done; try again.');
export const ObjectNotFound = simple('ObjectNotFound', 'No file has been uploaded yet.');
export const AlreadyExists = simple(
  'AlreadyExists',
  'It is there already, and is another one; `allowed` says which.',
);
export const ObjectTooLarge = simple('ObjectTooLarge', 'The file is larger than this installation takes.');

const PayloadProblemType = builder.objectRef<PayloadProblem>('PayloadProblem').implement({
  description: 'One thing that a definition’s schema does not take.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'JSON path: `payload.items[3].url`.' }),
    message: t.exposeString('message', { description: 'What is wrong there.' }),
    allowed: t.exposeString('allowed', { description: 'What would have been taken there.' }),
  }),
});

export const InvalidPayload = withCode('InvalidPayload');
builder.objectType(InvalidPayload, {
  name: 'InvalidPayloadError',
  description: 'The payload does not match the definition’s JSON Schema; nothing was written.',
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
  description: 'The job’s status does not allow it.',
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
  description: 'Another job with the same dedupe key is active.',
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
