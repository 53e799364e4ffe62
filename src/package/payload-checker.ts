import type { JobDefinition, PayloadOf } from '../core/definition.ts';
import { parseJson } from '../core/parse-json.ts';
import { PayloadValidator, type SchemaOwner } from '../jobs/payload-validator.ts';
import type { JsonText } from '../payloads/payload-json.ts';

/** Checks payloads against definitions that are declared in this program. */
export class PayloadChecker {
  readonly #validator = new PayloadValidator();
  readonly #owners = new WeakMap<JobDefinition, SchemaOwner>();
  #ownerCount = 0;

  /**
   * @returns the payload as it is stored, with the schema's defaults filled in
   * @throws DomainError `InvalidPayload`
   */
  check<D extends JobDefinition>(definition: D, payload: PayloadOf<D>): JsonText {
    return this.#validator.checkText(this.#ownerOf(definition), payload);
  }

  #ownerOf(definition: JobDefinition): SchemaOwner {
    const known = this.#owners.get(definition);
    if (known !== undefined) return known;
    const owner = {
      id: String(++this.#ownerCount),
      key: definition.key,
      // As it is in the database: plain JSON.
      arg_schema: parseJson(JSON.stringify(definition.payload)) as Record<string, unknown>,
      updated_at: new Date(0),
    };
    this.#owners.set(definition, owner);
    return owner;
  }
}
