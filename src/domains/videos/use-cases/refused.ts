import { DomainError } from '../../../core/errors.ts';

/** A field that has not what is allowed there. @param shown what it has, cut where that may be long */
export function refused(field: string, shown: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} is ${JSON.stringify(shown)}; allowed: ${allowed}.`, {
    field,
    allowed,
  });
}
