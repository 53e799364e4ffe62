import { extname } from 'node:path';
import type { Config } from '../src/config/config.ts';
import { type Domain, definitionsOf } from '../src/domains/domain.ts';
import { registeredDomains } from '../src/domains/registered.ts';
import type { DomainHandlers } from './domain-handlers.ts';
import type { Registration } from './handler.ts';

/** `.ts`, and `.js` where the program was built. */
const EXTENSION = extname(import.meta.filename);

/**
 * The handlers that Millrace ships; each loads its modules with its first job. A domain with definitions has
 * them in the folder of its name, so that the list of domains is the only one.
 */
export async function builtInRegistrations(config: Config): Promise<readonly Registration[]> {
  const domains = registeredDomains({ echo: config.echo }).filter(
    ({ definitions }) => definitions.length > 0,
  );
  return (await Promise.all(domains.map((domain) => handlersOf(domain, config)))).flat();
}

/**
 * Ours and, with `MILLRACE_HANDLERS`, the user's beside them. @throws DomainError `ConfigInvalid`
 * `RegistryInvalid`
 */
export async function allRegistrations(config: Config): Promise<readonly Registration[]> {
  const builtIn = await builtInRegistrations(config);
  if (config.handlers === null) return builtIn;
  const { loadUserHandlers } = await import('./user-handlers.ts');
  const known = definitionsOf(registeredDomains({ echo: true }));
  return [...builtIn, ...(await loadUserHandlers(config.handlers, known))];
}

async function handlersOf({ name }: Domain, config: Config): Promise<readonly Registration[]> {
  const module = (await import(`./handlers/${name}/registration${EXTENSION}`)) as {
    readonly registrations: DomainHandlers;
  };
  return module.registrations(config);
}
