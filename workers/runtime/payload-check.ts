import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JobDefinition } from '../../src/core/definition.ts';
import { PermanentError } from '../../src/core/errors.ts';
import { addBoundedFormats, boundedRegExp, TextTooLong } from '../../src/queue/bounded-checks.ts';
import { SecretBox } from '../../src/queue/secret-box.ts';

const MAX_PROBLEMS = 10;
/** Above this only the first problem is named: looking for all of them takes time and memory by the payload, not by what is kept. */
const MAX_LISTED_CHARS = 64 * 1024;

/** Checks payloads against their definitions' schemas; one per worker, each schema is compiled once. */
export interface PayloadCheck {
  /**
   * The payload with the schema's defaults filled in; the claimed job's own is left as it is.
   * @throws PermanentError `InvalidPayload` naming up to ten fields at fault and what was allowed (of payloads above 64 KiB only
   *   the first)
   */
  parse(definition: JobDefinition, payload: unknown, tenantId: string): unknown;
}

/** A worker checks again what the API has checked: rows also come from SQL, and definitions change under queued jobs. */
export function createPayloadCheck(secrets: SecretBox = new SecretBox([])): PayloadCheck {
  // First without `allErrors`: it would make an error for each of a hundred thousand keys before one is looked at.
  const first = newAjv(false);
  const all = newAjv(true);
  const compiled = new Map<
    JobDefinition,
    { readonly validate: ValidateFunction; readonly fillsIn: boolean }
  >();
  return {
    parse(definition, stored, tenantId) {
      const payload = secrets.open(tenantId, stored);
      let check = compiled.get(definition);
      if (check === undefined) {
        // A schema that says no default changes nothing, and needs no copy to do so on.
        const fillsIn = JSON.stringify(definition.payload).includes('"default"');
        check = { validate: first.compile(definition.payload), fillsIn };
        compiled.set(definition, check);
      }
      const { validate, fillsIn } = check;
      const copy: unknown = fillsIn ? structuredClone(payload) : payload;
      const problems = problemsOf(validate, copy, () => all.compile(definition.payload));
      if (problems === null) return copy;
      throw new PermanentError('InvalidPayload', `The payload does not fit ${definition.key}: ${problems}`);
    },
  };
}

function newAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({ allErrors, useDefaults: true, strict: false, code: { regExp: boundedRegExp } });
  addBoundedFormats(ajv);
  return ajv;
}

/** What is wrong with the payload, in words; null when nothing is. @param listing compiled to look for all problems */
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
