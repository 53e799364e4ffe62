import { DomainError, PermanentError } from '../../src/core/errors.ts';
import { refusesData } from '../../src/db/retryable.ts';

/**
 * What a failed settle means. `refused`: the database will never take this outcome. `later`: everything else,
 * known or not; a run that is done must not be lost to an error that nobody has thought of, however often it
 * comes.
 */
export function judgeSettleError(error: Error): 'later' | 'refused' {
  if (refusesData(error) || error instanceof PermanentError) return 'refused';
  if (error instanceof DomainError) return error.code === 'DedupeBusy' ? 'later' : 'refused';
  // JSON that cannot be written, a pipeline that stumbles over a malformed result.
  const isProgramming =
    error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isProgramming ? 'refused' : 'later';
}
