import { type Domain, defineDomain } from '../domain.ts';
import { type Command, declaredBy } from './load-commands.ts';

/** The commands of the configuration as a domain: the definitions that their file declares. */
export function commandsDomain(commands: ReadonlyMap<string, Command> | null): Domain {
  return defineDomain({ name: 'commands', definitions: declaredBy(commands) });
}

export { type Command, loadCommands } from './load-commands.ts';
