import { DomainError } from '../../../src/core/errors.ts';
import { type Command, loadCommands } from '../../../src/domains/commands/load-commands.ts';
import type { Registration } from '../../handler.ts';
import type { RuntimeRegistration } from '../../registry.ts';

/** The commands of a worker: those whose definition the file declares, and those that wait for one. */
export interface CommandRegistrations {
  readonly declared: readonly Registration[];
  readonly runtime: readonly RuntimeRegistration[];
}

/**
 * The commands that the configured file has.
 * @param taken keys that have a handler already
 * @param ownEnv of which variables entries may pass some on
 * @throws DomainError `ConfigInvalid`
 */
export async function commandRegistrations(
  path: string,
  taken: readonly string[],
  ownEnv: Readonly<Record<string, string | undefined>>,
): Promise<CommandRegistrations> {
  const commands = await loadCommands(path);
  if (commands === null) return { declared: [], runtime: [] };
  const twice = [...commands.keys()].filter((key) => taken.includes(key));
  if (twice.length > 0) {
    throw new DomainError(
      'ConfigInvalid',
      `MILLRACE_COMMANDS: ${twice.join(', ')} has a handler in code already`,
      {
        field: 'MILLRACE_COMMANDS',
        allowed: 'keys of their own',
      },
    );
  }
  const all = [...commands.values()];
  const load = (command: Command) => async () =>
    (await import('./run-command.ts')).commandHandler(command, ownEnv);
  return {
    declared: all.flatMap((command) =>
      command.definition === null
        ? []
        : [{ definition: command.definition, load: load(command) } as Registration],
    ),
    runtime: all
      .filter(({ definition }) => definition === null)
      .map((command) => ({ key: command.key, load: load(command) })),
  };
}
