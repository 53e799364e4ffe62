import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { DomainError } from '../core/errors.ts';
import { problemOf } from './payload-problems.ts';
import { checkStorable } from './payload-text.ts';

/** What the validator needs of a definition's row. */
export interface SchemaOwner {
  readonly id: string;
  readonly key: string;
  readonly arg_schema: Readonly<Record<string, unknown>>;
  readonly updated_at: Date;
}

const MAX_PROBLEMS = 20;
const MAX_COMPILED = 1000;

/** Checks payloads with the JSON Schema on the definition's row; each schema is compiled once a version. */
export class PayloadValidator {
  readonly #compiled = new Map<
    string,
    { readonly updatedAtMs: number; readonly validate: ValidateFunction }
  >();

  /**
   * @returns the payload with the schema's defaults filled in; the given one is left as it is
   * @throws DomainError `InvalidPayload` with the first problem's path and all problems in `details.problems`
   */
  check(definition: SchemaOwner, payload: unknown): unknown {
    checkStorable(payload);
    const validate = this.#validatorOf(definition);
    const filled = structuredClone(payload);
    if (validate(filled)) return filled;
    const problems = (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf);
    const first = problems[0] ?? { field: 'payload', message: 'is not allowed', allowed: 'see the schema' };
    throw new DomainError(
      'InvalidPayload',
      `Payload of ${definition.key}: ${first.field} ${first.message}; allowed: ${first.allowed}.`,
      { field: first.field, allowed: first.allowed, problems },
    );
  }

  #validatorOf(definition: SchemaOwner): ValidateFunction {
    const updatedAtMs = definition.updated_at.getTime();
    const known = this.#compiled.get(definition.id);
    if (known?.updatedAtMs === updatedAtMs) return known.validate;
    if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
    const validate = compile(definition.arg_schema);
    this.#compiled.set(definition.id, { updatedAtMs, validate });
    return validate;
  }
}

/** An instance of its own for each schema: `$id`s of different definitions may be alike. */
function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, useDefaults: true, verbose: true });
  formats.default(ajv);
  return ajv.compile(schema);
}
