import type { Actor } from '../../../core/actor.ts';
import { DomainError } from '../../../core/errors.ts';
import { isUuid, SYSTEM_TENANT_ID } from '../../../core/ids.ts';
import type { Lease } from '../../../core/queue.ts';
import { refused } from '../../../operations/ranges.ts';

/** Runs that one request may name. */
export const MAX_LEASES = 500;

/** The one tenant whose jobs the worker may have; null for a worker of the platform, which serves all. */
export function tenantServedBy({ tenantId }: Pick<Actor, 'tenantId'>): string | null {
  return tenantId === SYSTEM_TENANT_ID ? null : tenantId;
}

/** @throws DomainError `InvalidArgument` naming the field */
export function checkLease({ jobId, runNo, token }: Lease, at = ''): Lease {
  if (!isUuid(jobId)) throw refused(`${at}jobId`, shown(jobId), 'the id of a claimed job');
  if (!Number.isInteger(runNo) || runNo < 1 || runNo > 2_147_483_647)
    throw refused(`${at}runNo`, shown(runNo), 'the run number that the claim gave');
  if (!isUuid(token))
    // Not shown: it may be another run's token with a character too much.
    throw new DomainError(
      'InvalidArgument',
      `${at}token is no lease token; allowed: the token that the claim gave.`,
      {
        field: `${at}token`,
        allowed: 'the token that the claim gave',
      },
    );
  return { jobId: jobId.toLowerCase(), runNo, token: token.toLowerCase() };
}

/** @throws DomainError `InvalidArgument` naming the first that is wrong */
export function checkLeases(leases: readonly Lease[]): readonly Lease[] {
  if (leases.length === 0 || leases.length > MAX_LEASES)
    throw refused('leases', `${leases.length} leases`, `1 to ${MAX_LEASES}`);
  return leases.map((lease, index) => checkLease(lease, `leases[${index}].`));
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 100);
}
