import { PermanentError } from '../../core/errors.ts';
import type { ArgvItem } from './command-file.ts';
import { type FillContext, type Piece, parsePath, parseTemplate, valueAt } from './placeholder.ts';

type Template = readonly Piece[];
type Item =
  | { readonly kind: 'argument'; readonly template: Template }
  | { readonly kind: 'group'; readonly templates: readonly Template[] }
  | { readonly kind: 'when'; readonly path: readonly string[]; readonly templates: readonly Template[] };

/** Turns a payload into the exact arguments of a program. */
export interface ArgvTemplate {
  /** The program as the file names it. */
  readonly program: string;
  /**
   * The arguments, each as the program gets it.
   * @throws PermanentError `UnsafeArgument` for a value that the program would take for an option or that no
   *   argument can hold, `InvalidPayload` for a field that is needed and absent
   */
  fill(context: FillContext): readonly string[];
}

/**
 * Compiles an entry's argv.
 * @throws Error whose message names the item at fault
 */
export function compileArgv(argv: readonly ArgvItem[]): ArgvTemplate {
  const [program, ...rest] = argv;
  if (typeof program !== 'string' || program === '' || program.includes('{{'))
    throw new Error('argv[0] must name the program, without placeholders');
  const items = rest.map((item, index) => compileItem(item, `argv[${index + 1}]`));
  return { program, fill: (context) => fillAll(items, context) };
}

function compileItem(item: ArgvItem, place: string): Item {
  if (typeof item === 'string') return { kind: 'argument', template: compile(item, place) };
  if (Array.isArray(item))
    return { kind: 'group', templates: item.map((text, at) => compile(text, `${place}[${at}]`)) };
  const { when, args } = item as { readonly when: string; readonly args: readonly string[] };
  try {
    const path = parsePath(when);
    return { kind: 'when', path, templates: args.map((text, at) => compile(text, `${place}.args[${at}]`)) };
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`);
  }
}

/**
 * What comes before the first placeholder of an option must end with `=`: a value must never make up the
 * option's name.
 */
const OPTION_WITH_VALUE = /^--?[A-Za-z0-9][\w-]*=/;

function compile(text: string, place: string): Template {
  try {
    const template = parseTemplate(text);
    const [first] = template;
    const isFilled = template.some((piece) => 'path' in piece);
    if (
      isFilled &&
      first !== undefined &&
      'text' in first &&
      first.text.startsWith('-') &&
      !OPTION_WITH_VALUE.test(first.text)
    )
      throw new Error(
        `${JSON.stringify(text)} makes up an option; allowed: --name={{payload.x}}, or the group ["--name", "{{payload.x}}"]`,
      );
    return template;
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`);
  }
}

function fillAll(items: readonly Item[], context: FillContext): readonly string[] {
  const args: string[] = [];
  // After `--` programs take nothing for an option.
  let isAfterMark = false;
  const add = (template: Template, value?: Substitute): void => {
    const argument = fill(template, context, isAfterMark, value);
    args.push(argument);
    if (argument === '--' && isLiteral(template)) isAfterMark = true;
  };
  for (const item of items) {
    if (item.kind === 'argument') {
      const list = listOf([item.template], context);
      if (list === null) add(item.template);
      else for (const value of list.values) add(item.template, { path: list.path, value });
    } else if (item.kind === 'when') {
      const value = valueAt(item.path, context);
      if (value !== undefined && value !== false) for (const template of item.templates) add(template);
    } else {
      if (item.templates.some((template) => hasAbsent(template, context))) continue;
      const list = listOf(item.templates, context);
      for (const value of list?.values ?? [undefined])
        for (const template of item.templates)
          add(template, list === null ? undefined : { path: list.path, value });
    }
  }
  return args;
}

/** One item of an array in the place of the array itself. */
interface Substitute {
  readonly path: readonly string[];
  readonly value: unknown;
}

function listOf(
  templates: readonly Template[],
  context: FillContext,
): { readonly path: readonly string[]; readonly values: readonly unknown[] } | null {
  for (const piece of templates.flat()) {
    if (!('path' in piece)) continue;
    const value = valueAt(piece.path, context);
    if (Array.isArray(value)) return { path: piece.path, values: value };
  }
  return null;
}

const hasAbsent = (template: Template, context: FillContext): boolean =>
  template.some((piece) => 'path' in piece && valueAt(piece.path, context) === undefined);

const isLiteral = (template: Template): boolean => template.every((piece) => 'text' in piece);

function fill(
  template: Template,
  context: FillContext,
  isAfterMark: boolean,
  substitute?: Substitute,
): string {
  let argument = '';
  let isOwnStart = false;
  for (const [index, piece] of template.entries()) {
    if ('text' in piece) {
      argument += piece.text;
      if (index === 0) isOwnStart = true;
      continue;
    }
    const value =
      substitute !== undefined && piece.path === substitute.path
        ? substitute.value
        : valueAt(piece.path, context);
    argument += textOf(piece.path, value);
  }
  if (!isOwnStart && !isAfterMark && argument.startsWith('-') && !isLiteral(template))
    throw new PermanentError(
      'UnsafeArgument',
      `${nameOf(template)} begins with "-", which the program would take for an option; allowed: a value that does not, or --name={{…}} in the command's argv`,
    );
  return argument;
}

/** Text of a value, as an argument or a variable holds it. @throws PermanentError for what is none */
export function textOf(path: readonly string[], value: unknown): string {
  if (value === undefined || value === null)
    throw new PermanentError('InvalidPayload', `${path.join('.')} is absent, and the command needs it`);
  if (typeof value === 'object')
    throw new PermanentError(
      'UnsafeArgument',
      `${path.join('.')} is ${Array.isArray(value) ? 'a list within a list' : 'an object'}; allowed: a text, a number, true or false`,
    );
  const text = String(value);
  if (text.includes('\0'))
    throw new PermanentError('UnsafeArgument', `${path.join('.')} holds NUL, which no argument can hold`);
  return text;
}

function nameOf(template: Template): string {
  const piece = template.find((one) => 'path' in one);
  return piece !== undefined && 'path' in piece ? piece.path.join('.') : 'An argument';
}
