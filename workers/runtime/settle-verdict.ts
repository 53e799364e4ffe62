import { DomainError } from '../../src/core/errors.ts';
import { sqlState, verdictOf } from '../../src/db/retryable.ts';

/** SQLSTATE classes that speak about what was to be written: the same again would be refused again. */
const REFUSING_CLASSES = new Set(['21', '22', '23', '42', '44', '54']);
/** Unknown errors are tried this often before they count as a refusal. */
const MAX_UNKNOWN_FAILURES = 5;

/**
 * What a failed settle means. `later`: the database was not in a state to take it (away, full, shutting down, a lost race).
 * `refused`: it will never take this outcome.
 * @param failures failed tries so far, this one included
 */
export function judgeSettleError(error: Error, failures: number): 'later' | 'refused' {
  if (verdictOf(error) !== 'fatal') return 'later';
  const state = sqlState(error);
  if (state !== null) return REFUSING_CLASSES.has(state.slice(0, 2)) ? 'refused' : 'later';
  if (error instanceof DomainError) return error.code === 'DedupeBusy' ? 'later' : 'refused';
  // JSON that cannot be written, a pipeline that stumbles over a malformed result.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
    return 'refused';
  return failures < MAX_UNKNOWN_FAILURES ? 'later' : 'refused';
}
