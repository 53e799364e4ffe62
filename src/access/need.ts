import type { Role } from '../core/actor.ts';
import type { Scope } from '../core/scopes.ts';

/** What a use-case asks of its caller before it begins. */
export interface AccessNeed {
  /** Its name, of which there is one: `cancelJob`. */
  readonly name: string;
  /**
   * The weakest role that may call it; `worker` for what workers alone may. A use-case may ask for more, by
   * what is asked of it.
   */
  readonly role: Role;
  /**
   * What a narrowed API key or an access token must name. `any`: the use-case says itself, by what is asked
   * of it.
   */
  readonly scope: Scope | 'any';
  /** Completes "may not …" in a refusal. */
  readonly toDo: string;
}
