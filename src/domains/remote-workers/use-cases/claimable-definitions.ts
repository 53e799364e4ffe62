import type { Actor } from '../../../core/actor.ts';
import type { SyncedDefinition } from '../../../core/definition-records.ts';
import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import { refused } from '../../../operations/ranges.ts';
import type { RemoteDeps } from './deps.ts';
import { tenantServedBy } from './lease.ts';

const MAX_JOB_TYPES = 100;

/**
 * The definitions that a worker may claim of.
 * @throws DomainError `InvalidArgument` `UnknownDefinition`; `Forbidden` for those that its key does not
 *   name, and for a tenant's worker those of Millrace's own pipelines: what their ends lead to is trusted
 */
export async function claimableDefinitions(
  { remote }: Pick<RemoteDeps, 'remote'>,
  actor: Actor,
  jobTypes: readonly string[],
): Promise<readonly SyncedDefinition[]> {
  const asked = [...new Set(jobTypes)];
  if (asked.length === 0 || asked.length > MAX_JOB_TYPES)
    throw refused('jobTypes', `${asked.length} keys`, `1 to ${MAX_JOB_TYPES} keys of job definitions`);
  for (const [index, key] of jobTypes.entries()) checkFilterText(`jobTypes[${index}]`, key, 100);
  const forbidden = actor.jobTypes && asked.find((key) => !actor.jobTypes?.includes(key));
  if (forbidden !== undefined) throw notAllowed(forbidden, `for this key: ${actor.jobTypes?.join(', ')}`);
  const found = await remote.findDefinitions(asked);
  const known = new Set(found.map(({ key }) => key));
  const unknown = asked.find((key) => !known.has(key));
  if (unknown !== undefined)
    throw new DomainError(
      'UnknownDefinition',
      `There is no job definition ${JSON.stringify(unknown.slice(0, 120))}.`,
      {
        field: 'jobTypes',
        allowed: 'keys of job definitions',
      },
    );
  const own = tenantServedBy(actor) === null ? undefined : asked.find((key) => remote.isPipelined(key));
  if (own !== undefined)
    throw notAllowed(
      own,
      'definitions that are not part of a pipeline of Millrace, for a worker of one tenant',
    );
  return found.filter(({ isArchived }) => !isArchived);
}

function notAllowed(key: string, allowed: string): DomainError {
  return new DomainError(
    'Forbidden',
    `This worker may not claim jobs of ${JSON.stringify(key.slice(0, 120))}; allowed: ${allowed}.`,
    {
      field: 'jobTypes',
      allowed,
    },
  );
}
