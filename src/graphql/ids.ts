import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';

/**
 * A global id: the type's name, a colon and the row's UUID. Clients take it as opaque; people can read it in
 * a log.
 */
export function encodeGlobalId(typeName: string, id: string | number | bigint): string {
  return `${typeName}:${id}`;
}

/** A line of a log has no UUID of its own: its job's, the run and its number there. */
const LOG_LINE = 'JobLogLine';
const GLOBAL_ID = /^([A-Za-z]+):([0-9a-fA-F-]{36})(:[0-9]{1,9}:[0-9]{1,9})?$/;

/** @throws DomainError `InvalidArgument` */
export function decodeGlobalId(globalId: string): { typename: string; id: string } {
  const [, typename, uuid = '', line = ''] = GLOBAL_ID.exec(globalId) ?? [];
  if (typename !== undefined && isUuid(uuid) && (line !== '') === (typename === LOG_LINE))
    return { typename, id: uuid.toLowerCase() + line };
  throw invalid('id', globalId, 'an id that this API gave');
}

/**
 * The UUID behind an id argument: a global id of that type, or the bare UUID as SQL, logs and object keys
 * have it.
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
