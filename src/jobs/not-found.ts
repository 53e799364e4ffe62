import { DomainError } from '../core/errors.ts';

/** The one answer for what is not there and what is another tenant's: nobody learns which of them it was. */
export function notFound(kind: string, id: string, field = 'id'): DomainError {
  return new DomainError('NotFound', `There is no ${kind} ${id}.`, { field });
}
