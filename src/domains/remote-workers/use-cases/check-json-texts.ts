import { jsonTextProblem } from '../../../core/json-text-problem.ts';
import { refused } from '../../../operations/ranges.ts';

/** Refuses a value with a text that Postgres cannot store as it is. @throws DomainError `InvalidArgument` naming its place */
export function checkJsonTexts(field: string, value: unknown): void {
  const found = jsonTextProblem(value, field);
  if (found !== null) throw refused(found.field, found.problem, found.allowed);
}
