import { type Actor, systemActor } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import type { Identity } from '../identity/identity.ts';
import { byteCostOf } from './byte-cost.ts';
import { type Admission, type Caller, callerOf } from './caller.ts';
import type { CostLeft, Rates } from './rates.ts';

/**
 * Nothing more is asked: the operation was looked up, weighed and paid for as a whole, or the program itself
 * calls.
 */
const ADMITTED: Admission = { admit: () => {} };

/**
 * The caller of a GraphQL operation that has been prepared: it is registered where it must be, and its cost
 * was taken.
 */
export function callerOfOperation(actor: Actor): Caller {
  return callerOf(actor, ADMITTED);
}

/** Millrace itself, in the given tenant (the reserved system tenant by default). */
export function systemCaller(tenantId?: string): Caller {
  return callerOf(systemActor(tenantId), ADMITTED);
}

/**
 * How callers of routes are admitted: each use-case that they call takes what it costs, from what all their
 * requests may take.
 */
export class Admissions {
  readonly #rates: Rates;

  constructor(rates: Rates) {
    this.#rates = rates;
  }

  /** The caller of a route. A key that takes registered operations alone takes none: no route is one. */
  callerOfRoute(identity: Identity): Caller {
    return callerOf(identity.actor, {
      admit: ({ toDo }, cost) => {
        if (identity.persistedOnly) throw persistedOnly(toDo);
        const exceeded = this.#rates.take(identity, 'cost', cost);
        if (exceeded !== null) throw new DomainError('RateLimited', exceeded.message, { ...exceeded.facts });
      },
    });
  }

  /**
   * Takes the bytes of a request's body from what its caller may ask.
   * @throws DomainError `RateLimited`
   */
  takeBytes(identity: Identity, bytes: number): void {
    const cost = byteCostOf(bytes);
    const exceeded = cost === 0 ? null : this.#rates.take(identity, 'cost', cost);
    if (exceeded !== null) throw new DomainError('RateLimited', exceeded.message, { ...exceeded.facts });
  }

  /** What the caller may still ask. */
  costLeft(identity: Identity): CostLeft {
    return this.#rates.costLeft(identity);
  }
}

function persistedOnly(toDo: string): DomainError {
  const allowed = 'registered GraphQL operations, by their ids';
  return new DomainError('PersistedOnly', `This caller may not ${toDo} here; allowed: ${allowed}.`, {
    allowed,
  });
}
