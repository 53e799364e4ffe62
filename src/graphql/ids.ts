import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';

/** A global id: the type's name, a colon and the row's UUID. Clients take it as opaque; people can read it in a log. */
export function encodeGlobalId(typeName: string, id: string | number | bigint): string {
  return `${typeName}:${id}`;
}

/** @throws DomainError `InvalidArgument` */
export function decodeGlobalId(globalId: string): { typename: string; id: string } {
  const match = /^([A-Za-z]+):([0-9a-fA-F-]{36})$/.exec(globalId);
  const typename = match?.[1];
  const id = match?.[2];
  if (typename !== undefined && id !== undefined && isUuid(id)) return { typename, id: id.toLowerCase() };
  throw invalid('id', globalId, 'an id that this API gave');
}

/**
 * The UUID behind an id argument: a global id of that type, or the bare UUID as SQL, logs and object keys have it.
 * @throws DomainError `InvalidArgument`
 */
export function uuidOf(typeName: string, id: string, field = 'id'): string {
  const bare = id.startsWith(`${typeName}:`) ? id.slice(typeName.length + 1) : id;
  if (isUuid(bare)) return bare.toLowerCase();
  throw invalid(field, id, `the id of a ${typeName} or its UUID`);
}

function invalid(field: string, value: string, allowed: string): DomainError {
  return new DomainError(
    'InvalidArgument',
    `${field} is ${JSON.stringify(value.slice(0, 80))}; allowed: ${allowed}.`,
    {
      field,
      allowed,
    },
  );
}
