import { checkPayloadSize, JsonText, jsonOf } from '../payloads/payload-json.ts';
import { checkValue } from './payload-text.ts';
import { PayloadThreads, type PayloadThreadsOptions } from './payload-threads.ts';
import { PayloadValidator, type SchemaOwner } from './payload-validator.ts';

/**
 * Up to here a check takes less than asking a thread does to it [measured: 0.3 ms, and 3 ms at its worst].
 */
const MAX_INLINE_CHARS = 16 * 1024;

/**
 * How the API checks payloads: small ones at once, others in threads, since many tenants wait for the loop
 * that does it.
 */
export class PayloadChecks {
  readonly #maxPayloadBytes: number;
  readonly #validator: PayloadValidator;
  readonly #threads: PayloadThreads;

  constructor(options: PayloadThreadsOptions) {
    this.#maxPayloadBytes = options.maxPayloadBytes;
    this.#validator = new PayloadValidator(options.maxPayloadBytes);
    this.#threads = new PayloadThreads(options);
  }

  /**
   * @returns the payload as it is to be stored, the schema's defaults filled in
   * @throws DomainError `InvalidPayload` with the first problem's path and up to 20 problems in
   *   `details.problems`; `PayloadTooLarge`
   */
  check(tenantId: string, definition: SchemaOwner, payload: unknown): JsonText | Promise<JsonText> {
    const json = jsonOf(payload);
    if (json.length <= MAX_INLINE_CHARS) return this.#validator.checkText(definition, payload, json);
    checkPayloadSize(json, this.#maxPayloadBytes);
    // What JSON lacks, an infinite number say, has become null in it.
    if (json.includes('null')) checkValue(payload);
    return this.#inThread(tenantId, definition, json);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  async #inThread(tenantId: string, definition: SchemaOwner, json: string): Promise<JsonText> {
    const { id, key, arg_schema, updated_at, revision } = definition;
    const owner = { id, key, arg_schema, updated_at, ...(revision !== undefined && { revision }) };
    return new JsonText(await this.#threads.check(tenantId, { definition: owner, json }));
  }
}
