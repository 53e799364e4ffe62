import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import {
  createErrorHandler,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from '@rjsf/utils';

const INNER = /^(properties|items|additionalProperties|allOf|anyOf|oneOf|\$ref|if|then|else)$/;

/** Validates without compiling code, which the page's policy forbids. The server has the last word anyway. */
export const schemaValidator: ValidatorType = {
  validateFormData: (formData, schema, customValidate) => {
    const errors = problemsOf(schema, formData);
    const errorSchema = toErrorSchema(errors);
    if (customValidate === undefined) return { errors, errorSchema };
    const handler = customValidate(formData, createErrorHandler(formData), undefined);
    return validationDataMerge({ errors, errorSchema }, unwrapErrorHandler(handler));
  },
  isValid: (schema, formData, rootSchema) => {
    try {
      return validatorOf({ ...rootSchema, ...schema }).validate(formData).valid;
    } catch {
      return false;
    }
  },
  rawValidation: (schema, formData) => ({
    errors: validatorOf(schema).validate(formData).errors as never,
  }),
  reset: () => undefined,
};

function validatorOf(schema: RJSFSchema): Validator {
  return new Validator(schema as Schema, '2020-12', false);
}

function problemsOf(schema: RJSFSchema, formData: unknown): RJSFValidationError[] {
  // A field that was emptied is one that is not there.
  const { errors } = validatorOf(schema).validate(JSON.parse(JSON.stringify(formData ?? {})));
  return errors.filter(({ keyword }) => !INNER.test(keyword)).map(asFormError);
}

function asFormError({ keyword, instanceLocation, error }: OutputUnit): RJSFValidationError {
  const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined;
  const path = [instanceLocation.replace(/^#/, '').replaceAll('/', '.'), missing].filter(Boolean).join('.');
  const property = path.startsWith('.') || path === '' ? path : `.${path}`;
  const message = missing === undefined ? error : 'It is required';
  return { name: keyword, property, message, stack: `${property} ${message}` };
}
