import { DomainError } from '../core/errors.ts';
import { textProblem } from '../core/text-problem.ts';
import { refused } from './ranges.ts';

/** As long as a token's `sub` and `jti` may be. */
const MAX_LENGTH = 255;

/** @throws DomainError `InvalidArgument` for what no token can have as its `sub` or `jti` */
export function checkTokenText(field: 'subject' | 'jti', text: string): void {
  if (text === '') throw refused(field, 'empty', `1 to ${MAX_LENGTH} characters`);
  const found = textProblem(text, MAX_LENGTH);
  if (found === null) return;
  throw new DomainError('InvalidArgument', `${field} ${found.problem}; allowed: ${found.allowed}.`, {
    field,
    allowed: found.allowed,
  });
}
