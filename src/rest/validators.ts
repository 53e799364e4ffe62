import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { DomainError } from '../core/errors.ts';
import { problemOf } from '../jobs/payload-problems.ts';

const OPTIONS = { strict: true, strictTypes: false, allErrors: false, verbose: true } as const;
type AddFormats = (ajv: Ajv2020) => Ajv2020;
const addFormats = formats as unknown as AddFormats;

/** Bodies are taken as they are: nothing is coerced, removed or filled in. */
const bodies = addFormats(new Ajv2020({ ...OPTIONS, removeAdditional: false, coerceTypes: false }));
/** A query string has texts alone: they become what the schema says, and a single one a list of it. */
const parameters = addFormats(
  new Ajv2020({ ...OPTIONS, removeAdditional: false, coerceTypes: 'array', useDefaults: true }),
);

export type RequestPart = 'body' | 'query' | 'params';

/**
 * Makes the check of a part of a request.
 * @returns what is wrong, as DomainError `InvalidArgument`; null for a good one
 */
export function validatorOf(part: RequestPart, schema: TSchema): (value: unknown) => DomainError | null {
  const validate: ValidateFunction = (part === 'body' ? bodies : parameters).compile(schema as object);
  return (value) => {
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    return error === undefined ? null : refusal(part, error);
  };
}

function refusal(part: RequestPart, error: ErrorObject): DomainError {
  const { field: path, message, allowed } = problemOf(error);
  const field = path.replace(/^payload\.?/, '') || (part === 'body' ? 'body' : 'query');
  const shown = error.keyword === 'type' || error.keyword === 'required' ? '' : ` (${textOf(error.data)})`;
  return new DomainError('InvalidArgument', `${field} ${message}${shown}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}

function textOf(data: unknown): string {
  return (JSON.stringify(data) ?? 'nothing').slice(0, 80).toWellFormed();
}
