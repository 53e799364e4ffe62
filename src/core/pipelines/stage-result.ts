import { PermanentError } from '../errors.ts';

/** What a field of a result must be. */
export interface ResultRule {
  readonly allowed: string;
  readonly takes: (value: unknown) => boolean;
}

/** As long as a column or a key of the store takes it. */
const MAX_TEXT = 1_024;
const MAX_INTEGER = 2_147_483_647;

export const RESULT_TEXT: ResultRule = {
  allowed: `a text of 1 to ${MAX_TEXT} characters`,
  takes: (value) => typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT,
};
export const RESULT_SIZE_PX: ResultRule = {
  allowed: `a whole number from 1 to ${MAX_INTEGER}`,
  takes: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_INTEGER,
};
/** Milliseconds, bytes, rates. */
export const RESULT_AMOUNT: ResultRule = {
  allowed: 'a number from 0 to 2^53 - 1',
  takes: (value) => typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
};

/**
 * A stage's result in the form that its pipeline goes on from. A program of somebody else may have the same
 * name for a job of its own.
 * @throws PermanentError `InvalidResult` naming the stage and the field
 */
export function checkStageResult<Result>(
  stage: string,
  result: unknown,
  rules: Readonly<Partial<Record<keyof Result & string, ResultRule>>>,
): Result {
  if (typeof result !== 'object' || result === null) throw invalid(stage, 'the result', result, 'an object');
  for (const [field, rule] of Object.entries<ResultRule | undefined>(rules)) {
    const value = (result as Readonly<Record<string, unknown>>)[field];
    if (rule?.takes(value) === false) throw invalid(stage, field, value, rule.allowed);
  }
  return result as Result;
}

function invalid(stage: string, field: string, value: unknown, allowed: string): PermanentError {
  const shown = JSON.stringify(value) ?? 'missing';
  const message = `${stage} ended with a result that is not of its form: ${field} is ${shown.slice(0, 80)}; allowed: ${allowed}.`;
  return new PermanentError('InvalidResult', message);
}
