import { boundText, cleanText } from '../core/clean-text.ts';
import { DomainError, PermanentError, toError } from '../core/errors.ts';
import type { JobError } from '../core/job.ts';
import { redactText } from '../core/redaction/redact-text.ts';
import { sqlState } from '../db/retryable.ts';

/**
 * A thrown error as it is kept on the job and its attempt: text that Postgres takes, at most 16 KiB of it,
 * without what its form shows to be a secret. Never throws, whatever the error's fields are.
 * @param retryCount runs that had already ended in an error
 */
export function toJobError(thrown: Error, retryCount: number, now: Date = new Date()): JobError {
  const error = toError(thrown);
  return {
    type: cleanText(boundText(typeOf(error), 200)),
    message: cleanText(boundText(redactText(messageOf(error)))),
    timestamp: now.toISOString(),
    retryCount,
  };
}

function typeOf(error: Error): string {
  if (error instanceof PermanentError) return error.type;
  if (error instanceof DomainError) return error.code;
  // Its own name for all of them is `error`.
  if (error.name === 'error' && sqlState(error) !== null) return 'DatabaseError';
  return error.name === '' ? 'Error' : error.name;
}

function messageOf(error: Error): string {
  return error.message === '' ? `${typeOf(error)} without a message` : error.message;
}
