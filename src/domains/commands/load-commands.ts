import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { defineJob, type JobDefinition } from '../../core/definition.ts';
import { DomainError, toError } from '../../core/errors.ts';
import { parseJson } from '../../core/parse-json.ts';
import { type ArgvTemplate, compileArgv } from './argv-template.ts';
import { COMMAND_FILE_SCHEMA, type CommandEntry, type CommandFile } from './command-file.ts';
import { checkExitCodes } from './exit-codes.ts';
import { type Piece, parseTemplate } from './placeholder.ts';

/** The path that `MILLRACE_COMMANDS` has by default: a file that need not be there. */
export const DEFAULT_COMMANDS_PATH = 'millrace.commands.json';

/** A command, ready to be run. */
export interface Command {
  readonly key: string;
  readonly entry: CommandEntry;
  readonly argv: ArgvTemplate;
  readonly env: Readonly<Record<string, readonly Piece[]>>;
  /** What the file declares of the job; null: the definition is made at run time. */
  readonly definition: JobDefinition | null;
}

/**
 * Reads the commands that this process may run.
 * @param path of the file, from the current directory
 * @returns them by key; null where there is no file and none was asked for
 * @throws DomainError `ConfigInvalid` that lists every problem with its place
 */
export async function loadCommands(path: string): Promise<ReadonlyMap<string, Command> | null> {
  let text: string;
  try {
    text = await readFile(resolve(path), 'utf8');
  } catch (thrown) {
    if (path === DEFAULT_COMMANDS_PATH && (thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw refused(path, [toError(thrown).message]);
  }
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (thrown) {
    throw refused(path, [toError(thrown).message]);
  }
  return parseCommands(json, path);
}

/** As `loadCommands`, of what the file holds. */
export function parseCommands(json: unknown, path = DEFAULT_COMMANDS_PATH): ReadonlyMap<string, Command> {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile<CommandFile>(COMMAND_FILE_SCHEMA);
  if (!validate(json)) {
    throw refused(
      path,
      (validate.errors ?? [])
        .slice(0, 20)
        .map(({ instancePath, message, params }) =>
          [
            instancePath.replaceAll('/', '.').slice(1) || 'the file',
            message,
            params['additionalProperty'] ?? '',
          ]
            .join(' ')
            .trim(),
        ),
    );
  }
  const commands = new Map<string, Command>();
  const problems: string[] = [];
  for (const [key, entry] of Object.entries(json.commands)) {
    try {
      commands.set(key, toCommand(key, entry));
    } catch (thrown) {
      problems.push(`commands.${key}: ${toError(thrown).message}`);
    }
  }
  if (problems.length > 0) throw refused(path, problems);
  return commands;
}

/** The definitions that a file of commands declares. */
export function declaredBy(commands: ReadonlyMap<string, Command> | null): readonly JobDefinition[] {
  return [...(commands?.values() ?? [])].flatMap(({ definition }) => definition ?? []);
}

function toCommand(key: string, entry: CommandEntry): Command {
  if (entry.cwd !== undefined && !isAbsolute(entry.cwd))
    throw new Error(`cwd is ${entry.cwd}; allowed: an absolute path`);
  checkExitCodes(entry.exitCodes);
  const env = Object.fromEntries(
    Object.entries(entry.env ?? {}).map(([name, template]) => {
      if (name.startsWith('MILLRACE_'))
        throw new Error(`env.${name}: names that begin with MILLRACE_ are Millrace's own`);
      return [name, parseTemplate(template)];
    }),
  );
  const { payloadSchema = {}, ...settings } = entry.definition ?? {};
  return {
    key,
    entry,
    argv: compileArgv(entry.argv),
    env,
    definition:
      entry.definition === undefined
        ? null
        : defineJob({
            key,
            description: entry.description ?? '',
            ...settings,
            payload: payloadSchema as JobDefinition['payload'],
          } as Parameters<typeof defineJob>[0]),
  };
}

function refused(path: string, problems: readonly string[]): DomainError {
  return new DomainError('ConfigInvalid', `MILLRACE_COMMANDS, ${path}:\n  ${problems.join('\n  ')}`, {
    field: 'MILLRACE_COMMANDS',
    problems,
    allowed: 'the form of commands.schema.json; see docs/commands.md',
  });
}
