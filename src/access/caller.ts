import type { Actor } from '../core/actor.ts';
import type { AccessNeed } from './need.ts';

/** What stands between a caller and a use-case beside role and scope. */
export interface Admission {
  /** @throws DomainError `PersistedOnly` `RateLimited` */
  admit(need: AccessNeed, cost: number): void;
}

/**
 * Who calls a use-case, and how their calls are admitted. Only this folder makes one, see `admissions.ts`.
 */
export interface Caller extends Actor {
  readonly admission: Admission;
}

/** A caller from an actor: what all that makes callers goes through. */
export function callerOf(actor: Actor, admission: Admission): Caller {
  return { ...actor, admission };
}
