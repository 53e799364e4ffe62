import type { Config } from '../src/config/config.ts';
import type { JobDefinition } from '../src/core/definition.ts';
import type { Registration } from './handler.ts';
import { register } from './registry.ts';

/** The handlers of a domain: what `workers/handlers/<domain>/registration.ts` exports as `registrations`. */
export type DomainHandlers = (config: Config) => readonly Registration[];

/** A registration among others: what its handler is given is checked where it is written. */
export function erased<D extends JobDefinition, Own>({
  definition,
  load,
  provide,
}: Registration<D, Own>): Registration {
  return register(definition, load, provide);
}
