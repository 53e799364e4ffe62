import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { JobDefinition } from '../../src/core/definition.ts';
import { PermanentError } from '../../src/core/errors.ts';

/** Checks payloads against their definitions' schemas; one per worker, each schema is compiled once. */
export interface PayloadCheck {
  /**
   * The payload with the schema's defaults filled in; the claimed job's own is left as it is.
   * @throws PermanentError `InvalidPayload` naming each field at fault and what was allowed
   */
  parse(definition: JobDefinition, payload: unknown): unknown;
}

/** A worker checks again what the API has checked: rows also come from SQL, and definitions change under queued jobs. */
export function createPayloadCheck(): PayloadCheck {
  const ajv = new Ajv({ allErrors: true, useDefaults: true, strict: false });
  formats.default(ajv);
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
      if (validate(copy)) return copy;
      const problems = (validate.errors ?? [])
        .slice(0, 10)
        .map(
          (problem) =>
            `payload${problem.instancePath.replaceAll('/', '.')} ${problem.message ?? 'is invalid'}`,
        );
      throw new PermanentError(
        'InvalidPayload',
        `The payload does not fit ${definition.key}: ${problems.join('; ')}`,
      );
    },
  };
}
