import { DomainError } from '../core/errors.ts';
import { checkFilterText, distinctValues } from '../core/filter-values.ts';
import { isUuid } from '../core/ids.ts';

/** Which entities of one kind and tenant to watch. What is omitted does not restrict. */
export interface EntityFilter<Status extends string = string> {
  readonly tenantId: string;
  /** The one thing here that changes: what leaves them is announced. */
  readonly statuses?: readonly Status[] | null;
  readonly createdBy?: string | null;
  /** Rows of the initial state, newest first: 1 to 10,000; 1,000 by default. */
  readonly initialLimit?: number | null;
}

/** A filter with its defaults filled in. */
export interface CheckedEntityFilter {
  readonly tenantId: string;
  /** As rows have them. */
  readonly statuses: readonly string[] | null;
  readonly createdBy: string | null;
  /** The parent whose entities are watched; null for all. */
  readonly parentId: string | null;
  readonly initialLimit: number;
}

const MAX_CREATOR_LENGTH = 300;

/**
 * Checks a filter and fills in its defaults.
 * @param options `parentId` with the name of its field, where entities belong to something
 * @throws DomainError `InvalidArgument` naming the field
 */
export function checkEntityFilter(
  filter: EntityFilter,
  allowed: readonly string[],
  options: { readonly parentId: string | null | undefined; readonly field: string } | null = null,
): CheckedEntityFilter {
  const parentId = options?.parentId ?? null;
  if (parentId !== null) requireThat(isUuid(parentId), options?.field ?? '', parentId.slice(0, 80), 'a UUID');
  requireThat(isUuid(filter.tenantId), 'tenantId', filter.tenantId, 'a UUID');
  checkFilterText('filter.createdBy', filter.createdBy, MAX_CREATOR_LENGTH);
  const initialLimit = filter.initialLimit ?? 1_000;
  const isLimit = Number.isInteger(initialLimit) && initialLimit >= 1 && initialLimit <= 10_000;
  requireThat(isLimit, 'initialLimit', initialLimit, 'a whole number from 1 to 10000');
  return {
    tenantId: filter.tenantId.toLowerCase(),
    statuses: statusesOf(filter.statuses, allowed),
    createdBy: filter.createdBy ?? null,
    parentId: parentId?.toLowerCase() ?? null,
    initialLimit,
  };
}

function statusesOf(
  statuses: readonly string[] | null | undefined,
  allowed: readonly string[],
): readonly string[] | null {
  if (statuses == null) return null;
  const distinct = distinctValues('filter.statuses', statuses);
  for (const status of distinct) {
    requireThat(allowed.includes(status), 'statuses', status.slice(0, 80), allowed.join(', '));
  }
  return distinct;
}

function requireThat(ok: boolean, field: string, value: unknown, allowed: string): void {
  if (ok) return;
  const message = `Feed filter: ${field} is ${JSON.stringify(value)}, allowed: ${allowed}`;
  throw new DomainError('InvalidArgument', message, { field: `filter.${field}`, allowed });
}
