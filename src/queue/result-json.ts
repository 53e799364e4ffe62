import { cleanJson } from '../core/clean-text.ts';
import { PermanentError, toError } from '../core/errors.ts';
import { FINITE_NUMBERS, findNonFinite, type NonFiniteNumber } from '../core/finite-numbers.ts';

/**
 * A job's result as the JSON text that is stored.
 * @param maxBytes the longest text that is taken
 * @throws PermanentError `UnwritableResult` for what JSON cannot hold (a circle, a BigInt, NaN, a `toJSON`
 *   that throws), `ResultTooLarge`
 */
export function resultJson(result: unknown, maxBytes: number): string {
  let json: string;
  let lost: NonFiniteNumber | null;
  try {
    json = cleanJson(result);
    lost = findNonFinite(result, json);
  } catch (thrown) {
    throw new PermanentError(
      'UnwritableResult',
      `The result cannot be written as JSON: ${toError(thrown).message}`,
    );
  }
  if (lost !== null)
    throw new PermanentError(
      'UnwritableResult',
      `${lost.path === '' ? 'The result' : `${lost.path} of the result`} is ${lost.value}, which JSON does not have; allowed: ${FINITE_NUMBERS}.`,
    );
  // A character takes three bytes at most, so small ones need not be counted.
  if (json.length * 3 <= maxBytes) return json;
  const sizeBytes = Buffer.byteLength(json);
  if (sizeBytes <= maxBytes) return json;
  throw new PermanentError(
    'ResultTooLarge',
    `The result has ${sizeBytes} bytes as JSON; allowed: ${maxBytes} (MILLRACE_MAX_RESULT_BYTES). Store large outputs as files.`,
  );
}
