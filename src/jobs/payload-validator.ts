import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { DomainError } from '../core/errors.ts';
import { DEFAULT_MAX_PAYLOAD_BYTES } from '../queue/payload-json.ts';
import { problemOf } from './payload-problems.ts';
import { checkStorable } from './payload-text.ts';

/** What the validator needs of a definition's row. */
export interface SchemaOwner {
  readonly id: string;
  readonly key: string;
  readonly arg_schema: Readonly<Record<string, unknown>>;
  readonly updated_at: Date;
  /** Where it is known (the row's), it tells versions apart that have the same `updated_at`. */
  readonly revision?: string;
}

const MAX_PROBLEMS = 20;
const MAX_COMPILED = 1000;

/** Checks payloads with the JSON Schema on the definition's row; each schema is compiled once a version. */
export class PayloadValidator {
  readonly #compiled = new Map<string, { readonly version: string; readonly validate: ValidateFunction }>();

  readonly #maxPayloadBytes: number;

  /** @param maxPayloadBytes largest payload, as JSON text in UTF-8 */
  constructor(maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES) {
    this.#maxPayloadBytes = maxPayloadBytes;
  }

  /**
   * @returns the payload with the schema's defaults filled in; the given one is left as it is
   * @throws DomainError `InvalidPayload` with the first problem's path and all problems in `details.problems`; `PayloadTooLarge`
   */
  check(definition: SchemaOwner, payload: unknown): unknown {
    const json = checkStorable(payload, this.#maxPayloadBytes);
    const validate = this.#validatorOf(definition);
    // A copy as the worker will get it, and several times faster than structuredClone.
    const filled: unknown = JSON.parse(json);
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
    const version = definition.revision ?? definition.updated_at.toISOString();
    const known = this.#compiled.get(definition.id);
    if (known?.version === version) return known.validate;
    if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
    const validate = compile(definition.arg_schema);
    this.#compiled.set(definition.id, { version, validate });
    return validate;
  }
}

/** An instance of its own for each schema: `$id`s of different definitions may be alike. */
function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, useDefaults: true, verbose: true });
  formats.default(ajv);
  return ajv.compile(schema);
}
