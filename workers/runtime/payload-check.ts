import { Ajv, type ValidateFunction } from 'ajv';
import type { JobDefinition } from '../../src/core/definition.ts';
import { PermanentError } from '../../src/core/errors.ts';
import { addBoundedFormats, boundedRegExp, TextTooLong } from '../../src/queue/bounded-checks.ts';

/** Checks payloads against their definitions' schemas; one per worker, each schema is compiled once. */
export interface PayloadCheck {
  /**
   * The payload with the schema's defaults filled in; the claimed job's own is left as it is.
   * @throws PermanentError `InvalidPayload` naming the first field at fault and what was allowed
   */
  parse(definition: JobDefinition, payload: unknown): unknown;
}

/** A worker checks again what the API has checked: rows also come from SQL, and definitions change under queued jobs. */
export function createPayloadCheck(): PayloadCheck {
  // Without `allErrors`: it would make an error for each of a hundred thousand keys before one is looked at.
  const ajv = new Ajv({ useDefaults: true, strict: false, code: { regExp: boundedRegExp } });
  addBoundedFormats(ajv);
  const compiled = new Map<
    JobDefinition,
    { readonly validate: ValidateFunction; readonly fillsIn: boolean }
  >();
  return {
    parse(definition, payload) {
      let check = compiled.get(definition);
      if (check === undefined) {
        // A schema that says no default changes nothing, and needs no copy to do so on.
        const fillsIn = JSON.stringify(definition.payload).includes('"default"');
        check = { validate: ajv.compile(definition.payload), fillsIn };
        compiled.set(definition, check);
      }
      const { validate, fillsIn } = check;
      const copy: unknown = fillsIn ? structuredClone(payload) : payload;
      const problem = problemOf(validate, copy);
      if (problem === null) return copy;
      throw new PermanentError('InvalidPayload', `The payload does not fit ${definition.key}: ${problem}`);
    },
  };
}

function problemOf(validate: ValidateFunction, payload: unknown): string | null {
  try {
    if (validate(payload)) return null;
    const [first] = validate.errors ?? [];
    return `payload${first?.instancePath.replaceAll('/', '.') ?? ''} ${first?.message ?? 'is invalid'}`;
  } catch (error) {
    if (error instanceof TextTooLong) return error.message;
    throw error;
  }
}
