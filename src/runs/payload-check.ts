import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JobDefinition } from '../core/definition.ts';
import { PermanentError } from '../core/errors.ts';
import { TextTooLong } from '../payloads/bounded-checks.ts';
import { compilePayloadSchema } from '../payloads/payload-schema.ts';
import { SecretBox } from '../payloads/secret-box.ts';

const MAX_PROBLEMS = 10;
/**
 * Above this only the first problem is named: looking for all of them takes time and memory by the payload,
 * not by what is kept.
 */
const MAX_LISTED_CHARS = 64 * 1024;

type CheckedDefinition = Pick<JobDefinition, 'key' | 'payload'>;

/** Checks payloads against their definitions' schemas; one per worker, each schema is compiled once. */
export interface PayloadCheck {
  /**
   * The payload with the schema's defaults filled in; the claimed job's own is left as it is.
   * @throws PermanentError `InvalidPayload` naming up to ten fields at fault and what was allowed (of
   *   payloads above 64 KiB only the first)
   */
  parse(definition: CheckedDefinition, payload: unknown, tenantId: string): unknown;
}

/**
 * A worker checks again what the API has checked: rows also come from SQL, and definitions change under
 * queued jobs.
 */
export function createPayloadCheck(secrets: SecretBox = new SecretBox([])): PayloadCheck {
  const compiled = new WeakMap<
    CheckedDefinition,
    { readonly validate: ValidateFunction; readonly fillsIn: boolean }
  >();
  return {
    parse(definition, stored, tenantId) {
      const payload = secrets.open(tenantId, stored);
      let check = compiled.get(definition);
      if (check === undefined) {
        // A schema that says no default changes nothing, and needs no copy to do so on.
        const fillsIn = JSON.stringify(definition.payload).includes('"default"');
        // First without `allErrors`: it would make an error for each of a hundred thousand keys before one is
        // looked at.
        check = { validate: compilePayloadSchema(definition.payload, false), fillsIn };
        compiled.set(definition, check);
      }
      const { validate, fillsIn } = check;
      const copy: unknown = fillsIn ? structuredClone(payload) : payload;
      const problems = problemsOf(validate, copy, () => compilePayloadSchema(definition.payload, true));
      if (problems === null) return copy;
      throw new PermanentError('InvalidPayload', `The payload does not fit ${definition.key}: ${problems}`);
    },
  };
}

/**
 * What is wrong with the payload, in words; null when nothing is. @param listing compiled to look for all
 * problems
 */
function problemsOf(
  validate: ValidateFunction,
  payload: unknown,
  listing: () => ValidateFunction,
): string | null {
  try {
    if (validate(payload)) return null;
    let errors = validate.errors ?? [];
    if (JSON.stringify(payload).length <= MAX_LISTED_CHARS) {
      const list = listing();
      if (!list(payload)) errors = list.errors ?? errors;
    }
    return errors.slice(0, MAX_PROBLEMS).map(textOf).join('; ');
  } catch (error) {
    if (error instanceof TextTooLong) return error.message;
    throw error;
  }
}

function textOf({ instancePath, message }: ErrorObject): string {
  return `payload${instancePath.replaceAll('/', '.')} ${message ?? 'is invalid'}`;
}
