import { parseJson } from '../../../core/parse-json.ts';

/** One `{{…}}` of a template, read. */
export interface Placeholder {
  /** `event`, `schedule`, `trigger` or `tenant`, then names of fields and positions in lists. */
  readonly path: readonly string[];
  /** What stands in where the field is missing; undefined when there is none. */
  readonly fallback: { readonly value: unknown } | undefined;
  /** Without the field, the whole entry of the payload is omitted. */
  readonly isOptional: boolean;
}

/** A text of a template in its parts: literal texts and placeholders in turn. */
export type TextPart = string | Placeholder;

export const ROOTS = ['event', 'schedule', 'trigger', 'tenant'] as const;

const ALLOWED =
  '{{event.a.b}}, {{event.a | default: 0}} or {{event.a | optional}}, where the default is JSON';

/** What is wrong with a template's text. */
export class TemplateSyntaxError extends Error {
  readonly allowed: string;

  constructor(message: string, allowed: string = ALLOWED) {
    super(message);
    this.allowed = allowed;
  }
}

/**
 * Splits a text at its placeholders. `\{{` stands for two braces. There is nothing to call and nothing to
 * compute: a path is looked up, and that is all, so that a template can neither run code nor take long.
 * @throws TemplateSyntaxError
 */
export function parseText(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let literal = '';
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{{', at);
    if (open === -1) break;
    if (text[open - 1] === '\\' && open > at) {
      literal += `${text.slice(at, open - 1)}{{`;
      at = open + 2;
      continue;
    }
    const close = closingBraces(text, open + 2);
    if (close === -1) throw new TemplateSyntaxError(`"${excerpt(text.slice(open))}" has no closing }}`);
    literal += text.slice(at, open);
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push(parsePlaceholder(text.slice(open + 2, close)));
    at = close + 2;
  }
  literal += text.slice(at);
  if (literal !== '' || parts.length === 0) parts.push(literal);
  return parts;
}

/** The `}}` that ends a placeholder: one within a JSON text of its default does not. */
function closingBraces(text: string, from: number): number {
  let isInString = false;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      if (depth > 0) depth -= 1;
      else return text[at + 1] === '}' ? at : -1;
    }
  }
  return -1;
}

function parsePlaceholder(inner: string): Placeholder {
  const bar = inner.indexOf('|');
  const path = (bar === -1 ? inner : inner.slice(0, bar)).trim().split('.');
  const shown = `{{${excerpt(inner)}}}`;
  if (!ROOTS.some((root) => root === path[0]))
    throw new TemplateSyntaxError(
      `${shown} starts with none of the known names`,
      `${ROOTS.join(', ')}, as in {{event.id}}`,
    );
  if (path.length > 20 || path.some((name) => !/^[\p{L}\p{N}_$-]{1,200}$/u.test(name)))
    throw new TemplateSyntaxError(`${shown} is no path of names with dots between them`);
  if (bar === -1) return { path, fallback: undefined, isOptional: false };
  const filter = inner.slice(bar + 1).trim();
  if (filter === 'optional') return { path, fallback: undefined, isOptional: true };
  if (!filter.startsWith('default:')) throw new TemplateSyntaxError(`${shown} has an unknown filter`);
  try {
    return { path, fallback: { value: parseJson(filter.slice('default:'.length)) }, isOptional: false };
  } catch {
    throw new TemplateSyntaxError(`${shown} has a default that is not JSON; texts stand in quotation marks`);
  }
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
