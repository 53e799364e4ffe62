import { DomainError } from '../core/errors.ts';
import type { DefinitionRow } from '../db/sql/queue/find-definitions.ts';

const MAX_NAMED = 50;

/**
 * A definition that no code declares is run by a command, and one without an entry never would be.
 * @param commandKeys of the commands that there are; null where nobody knows, since there is no file here
 * @throws DomainError `InvalidArgument` that names the commands there are
 */
export function checkCommand(
  commandKeys: readonly string[] | null,
  { key, is_declared: isDeclared }: Pick<DefinitionRow, 'key' | 'is_declared'>,
): void {
  if (isDeclared || commandKeys === null || commandKeys.includes(key)) return;
  const named = [...commandKeys].sort().slice(0, MAX_NAMED).join(', ');
  const allowed =
    commandKeys.length > MAX_NAMED ? `${named} and ${commandKeys.length - MAX_NAMED} more` : named;
  throw new DomainError(
    'InvalidArgument',
    `There is no command for ${key} here; the commands are ${allowed || 'none'}.`,
    { field: 'definition', allowed },
  );
}
