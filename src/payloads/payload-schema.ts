import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { addBoundedFormats, boundedRegExp } from './bounded-checks.ts';

/**
 * Compiles the schema of a definition's payload, as JSON Schema 2020-12. The API, workers and the library all
 * check with what this gives: a payload that one takes, no other refuses. The compiled check fills in the
 * schema's defaults, and throws `TextTooLong`.
 * @param allErrors whether it goes on after the first problem
 * @throws Error for a schema that is none
 */
export function compilePayloadSchema(schema: object, allErrors: boolean): ValidateFunction {
  // An instance of its own for each schema: `$id`s of different definitions may be alike.
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    useDefaults: true,
    verbose: true,
    code: { regExp: boundedRegExp },
  });
  addBoundedFormats(ajv);
  return ajv.compile(schema);
}
