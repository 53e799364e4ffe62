import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { BoundedMap } from '../core/bounded-map.ts';
import { DomainError } from '../core/errors.ts';
import { parseJson } from '../core/parse-json.ts';
import { TextTooLong } from '../payloads/bounded-checks.ts';
import {
  checkPayloadSize,
  DEFAULT_MAX_PAYLOAD_BYTES,
  JsonText,
  jsonOf,
  mayHoldMore,
} from '../payloads/payload-json.ts';
import { compilePayloadSchema } from '../payloads/payload-schema.ts';
import { pathOfLongText } from './payload-path.ts';
import { type PayloadProblem, problemOf } from './payload-problems.ts';
import { checkValue } from './payload-text.ts';

/** What the validator needs of a definition's row. */
export interface SchemaOwner {
  readonly id: string;
  readonly key: string;
  readonly arg_schema: Readonly<Record<string, unknown>>;
  readonly updated_at: Date;
  /** Where it is known (the row's), it distinguishes versions that have the same `updated_at`. */
  readonly revision?: string;
}

const MAX_PROBLEMS = 20;
const MAX_COMPILED = 1000;
/**
 * Above this only the first problem is named: looking for all of them takes time and memory by the payload,
 * not by what is kept.
 */
const MAX_LISTED_CHARS = 64 * 1024;

/** A schema, compiled to stop at the first problem, and once one was found, to list them. */
interface Compiled {
  readonly version: string;
  readonly validate: ValidateFunction;
  /** Whether it fills in a default: what is stored is then another text than what was given. */
  readonly fillsIn: boolean;
  list: ValidateFunction | null;
}

/** Checks payloads with the JSON Schema on the definition's row; each schema is compiled once a version. */
export class PayloadValidator {
  readonly #compiled = new BoundedMap<string, Compiled>(MAX_COMPILED);
  readonly #maxPayloadBytes: number;

  /** @param maxPayloadBytes largest payload, as JSON text in UTF-8 */
  constructor(maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES) {
    this.#maxPayloadBytes = maxPayloadBytes;
  }

  /**
   * @param written what `jsonOf` has made of the payload, where somebody has asked it already
   * @returns the text that is stored, with the schema's defaults filled in: written once, and a second time
   *   only where the schema has defaults; the given payload is left as it is
   * @throws DomainError `InvalidPayload` with the first problem's path and up to 20 problems in
   *   `details.problems` (of payloads above 64 KiB only the first); `PayloadTooLarge`
   */
  checkText(definition: SchemaOwner, payload: unknown, written?: string): JsonText {
    checkValue(payload);
    const json = written ?? jsonOf(payload);
    checkPayloadSize(json, this.#maxPayloadBytes);
    // A copy as the worker will get it, and several times faster than structuredClone.
    const copy: unknown = parseJson(json);
    if (mayHoldMore(json)) checkValue(copy);
    const text = this.#filledText(definition, json, copy);
    // No payload is an empty one.
    return new JsonText(text === 'null' ? '{}' : text);
  }

  /** As `checkText`, of JSON text and into JSON text. */
  checkJson(definition: SchemaOwner, json: string): string {
    checkPayloadSize(json, this.#maxPayloadBytes);
    const value: unknown = parseJson(json);
    checkValue(value);
    return this.#filledText(definition, json, value);
  }

  #filledText(definition: SchemaOwner, json: string, copy: unknown): string {
    const filled = this.#filled(definition, json, copy);
    return this.#compiledOf(definition).fillsIn ? JSON.stringify(filled) : json;
  }

  #filled(definition: SchemaOwner, json: string, copy: unknown): unknown {
    const compiled = this.#compiledOf(definition);
    const problems = this.#problemsOf(compiled, definition, json, copy);
    if (problems === null) return copy;
    const first = problems[0] ?? { field: 'payload', message: 'is not allowed', allowed: 'see the schema' };
    throw new DomainError(
      'InvalidPayload',
      `Payload of ${definition.key}: ${first.field} ${first.message}; allowed: ${first.allowed}.`,
      { field: first.field, allowed: first.allowed, problems },
    );
  }

  #problemsOf(
    compiled: Compiled,
    definition: SchemaOwner,
    json: string,
    copy: unknown,
  ): readonly PayloadProblem[] | null {
    try {
      if (compiled.validate(copy)) return null;
      const first = compiled.validate.errors ?? [];
      if (json.length > MAX_LISTED_CHARS) return shown(first);
      compiled.list ??= compilePayloadSchema(definition.arg_schema, true);
      return compiled.list(parseJson(json)) ? shown(first) : shown(compiled.list.errors ?? first);
    } catch (error) {
      if (error instanceof TextTooLong) return [tooLong(error, json)];
      throw error;
    }
  }

  #compiledOf(definition: SchemaOwner): Compiled {
    const version = definition.revision ?? definition.updated_at.toISOString();
    const known = this.#compiled.get(definition.id);
    if (known?.version === version) return known;
    const compiled = {
      version,
      validate: compilePayloadSchema(definition.arg_schema, false),
      fillsIn: JSON.stringify(definition.arg_schema).includes('"default"'),
      list: null,
    };
    this.#compiled.set(definition.id, compiled);
    return compiled;
  }
}

function shown(errors: readonly ErrorObject[]): readonly PayloadProblem[] {
  return errors.slice(0, MAX_PROBLEMS).map(problemOf);
}

function tooLong({ maxLength }: TextTooLong, json: string): PayloadProblem {
  return {
    field: pathOfLongText(parseJson(json), maxLength) ?? 'payload',
    message: `is longer than ${maxLength} characters, and its schema has a pattern or a format`,
    allowed: `at most ${maxLength} characters`,
  };
}
