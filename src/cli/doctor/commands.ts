import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { formatJobTypes, type JobTypes } from '../../config/job-types.ts';
import { toError } from '../../core/errors.ts';
import { type Command, loadCommands } from '../../domains/commands/index.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/**
 * Which commands this machine's worker can run: their file, and the program of each. No line without a file.
 */
export async function checkCommands(path: string, searchPath: string): Promise<readonly Finding[]> {
  let commands: ReadonlyMap<string, Command> | null;
  try {
    commands = await loadCommands(path);
  } catch (error) {
    return [fail('commands', toError(error).message, 'docs/commands.md says what the file holds.')];
  }
  if (commands === null) return [];
  const missing: string[] = [];
  for (const { key, entry } of commands.values()) {
    const [program] = entry.argv;
    if (typeof program === 'string' && !(await isProgram(program, searchPath)))
      missing.push(`${key} (${program})`);
  }
  if (missing.length > 0)
    return [
      warn(
        'commands',
        `programs that are not there: ${missing.join(', ')}`,
        'Install them, name them by absolute paths, or correct PATH of the worker.',
      ),
    ];
  return [ok('commands', `${[...commands.keys()].join(', ')} from ${path}`)];
}

async function isProgram(program: string, searchPath: string): Promise<boolean> {
  if (program.includes('{{')) return true;
  const places = program.includes('/')
    ? [program]
    : searchPath.split(delimiter).map((folder) => join(folder === '' ? '.' : folder, program));
  for (const place of places) {
    if (!isAbsolute(place) && !program.includes('/')) continue;
    try {
      await access(place, constants.X_OK);
      return true;
    } catch {
      // The next one.
    }
  }
  return false;
}

/**
 * Which job types a worker here runs. A name that nobody knows is a slip that leaves a type without workers.
 */
export async function checkJobTypes(
  types: JobTypes,
  declaredKeys: readonly string[],
  commandsPath: string,
): Promise<Finding> {
  const commands = await loadCommands(commandsPath).catch(() => null);
  const known = new Set([...declaredKeys, ...(commands?.keys() ?? [])]);
  const named = [...(types.only ?? []), ...types.except, ...types.concurrency.keys()];
  const unknown = [...new Set(named)].filter((key) => !known.has(key));
  const text = formatJobTypes(types);
  if (unknown.length > 0)
    return warn(
      'job-types',
      `MILLRACE_JOB_TYPES names ${unknown.join(', ')}, which this program does not know`,
      `Known: ${[...known].sort().join(', ')}; modules of MILLRACE_HANDLERS may have more.`,
    );
  return ok('job-types', text === '' || text === '*' ? 'all that the program knows' : text);
}
