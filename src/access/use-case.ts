import type { Caller } from './caller.ts';
import type { AccessNeed } from './need.ts';
import { requireNeed } from './require-role.ts';

/**
 * What a call takes from the caller's rate where nothing else is said: recognising the caller, a transaction.
 */
export const BASE_COST = 10;

/** The declaration of a use-case: what it needs, and what a call costs by the units of the rate limits. */
export interface UseCaseDeclaration<Args extends readonly unknown[]> extends AccessNeed {
  /** `BASE_COST` by default; of a list by its length, of many jobs by their number. */
  readonly cost?: number | ((...args: Args) => number);
}

/** What may be asked of the product, by a caller whose role, scope and rate have been checked. */
export interface UseCase<Deps, Args extends readonly unknown[], Result> {
  (deps: Deps, caller: Caller, ...args: Args): Promise<Result>;
  readonly need: AccessNeed;
}

const declared = new Map<string, UseCase<never, never[], unknown>>();

/**
 * Declares a use-case. Role, scope, registered operations and rates are checked here, in this order, before
 * anything of it is run: whichever route calls it cannot forget them.
 * @param run what it does, for a caller that may
 * @returns the use-case; it rejects with DomainError `Forbidden`, `PersistedOnly` or `RateLimited` beside
 *   what `run` throws
 * @throws Error for a name that is taken
 */
export function defineUseCase<Deps, Args extends readonly unknown[], Result>(
  declaration: UseCaseDeclaration<NoInfer<Args>>,
  run: (deps: Deps, caller: Caller, ...args: Args) => Promise<Result>,
): UseCase<Deps, Args, Result> {
  const { name, role, scope, toDo, cost = BASE_COST } = declaration;
  const need: AccessNeed = { name, role, scope, toDo };
  if (declared.has(name)) throw new Error(`There are two use-cases ${name}`);
  const useCase = async (deps: Deps, caller: Caller, ...args: Args): Promise<Result> => {
    // A caller that nobody admitted is a fault of ours, and its role is worth nothing.
    if (caller?.admission === undefined) throw new Error(`Use-case ${name} was called without a caller`);
    // What it costs may be computed by what is asked, which nobody looks at before the caller may ask it.
    checkAdmitted(caller, need, () => (typeof cost === 'number' ? cost : cost(...args)));
    return await run(deps, caller, ...args);
  };
  const made = Object.assign(useCase, { need });
  declared.set(name, made as unknown as UseCase<never, never[], unknown>);
  return made;
}

/**
 * What is checked of a caller before a use-case is run; a route may ask earlier, before it reads a body, at
 * no cost.
 * @param cost in units of the rate limits; asked once role and scope suffice
 * @throws DomainError `Forbidden` `PersistedOnly` `RateLimited`
 */
export function checkAdmitted(caller: Caller, need: AccessNeed, cost: () => number): void {
  requireNeed(caller, need);
  caller.admission.admit(need, cost());
}

/** Every use-case whose file has been imported, by name. */
export function declaredUseCases(): ReadonlyMap<string, UseCase<never, never[], unknown>> {
  return declared;
}
