import { type Change, isOfJob } from './change.ts';
import type { Member } from './member.ts';

/**
 * Members by what can matter to them. Ten thousand pages that each watch one job must not cost ten thousand looks at every
 * change of the tenant.
 */
export class MemberIndex {
  /** Members that watch named jobs, by job. */
  readonly #ofJob = new Map<string, Set<Member>>();
  /** All others, by tenant. */
  readonly #ofTenant = new Map<string, Set<Member>>();

  add(member: Member): void {
    for (const [map, key] of this.#places(member)) {
      const members = map.get(key);
      if (members === undefined) map.set(key, new Set([member]));
      else members.add(member);
    }
  }

  delete(member: Member): void {
    for (const [map, key] of this.#places(member)) {
      const members = map.get(key);
      if (members?.delete(member) === true && members.size === 0) map.delete(key);
    }
  }

  /** Calls `tell` with each member of the change's tenant that it may matter to; it may delete the member. */
  tell(change: Change, tell: (member: Member) => void): void {
    // A Set's iteration allows deletions.
    for (const member of this.#ofTenant.get(change.tenantId) ?? []) tell(member);
    if (!isOfJob(change)) return;
    for (const member of this.#ofJob.get(change.jobId) ?? []) {
      if (member.tenantId === change.tenantId) tell(member);
    }
  }

  all(): Set<Member> {
    return new Set([...this.#ofJob.values(), ...this.#ofTenant.values()].flatMap((members) => [...members]));
  }

  #places({ jobIds, tenantId }: Member): [Map<string, Set<Member>>, string][] {
    if (jobIds === null) return [[this.#ofTenant, tenantId]];
    return jobIds.map((jobId) => [this.#ofJob, jobId]);
  }
}
