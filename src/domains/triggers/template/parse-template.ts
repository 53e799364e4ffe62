import { DomainError } from '../../../core/errors.ts';
import { parseText, TemplateSyntaxError, type TextPart } from './placeholder.ts';

/** A template that was read: constant JSON, texts with placeholders, and lists and objects of these. */
export type TemplateNode =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'list'; readonly items: readonly TemplateNode[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [name: string, node: TemplateNode])[] };

const MAX_DEPTH = 32;
export const TEMPLATE_MAX_BYTES: number = 64 * 1024;

/**
 * Reads a payload template: JSON whose texts may hold placeholders. Names of fields are taken as they are.
 * @param template parsed JSON
 * @param field its path, for errors
 * @throws DomainError `InvalidArgument`, which names the place in the template
 */
export function parseTemplate(template: unknown, field = 'payloadTemplate'): TemplateNode {
  const bytes = Buffer.byteLength(JSON.stringify(template) ?? '');
  if (bytes > TEMPLATE_MAX_BYTES)
    throw refused(field, `has ${bytes} bytes`, `at most ${TEMPLATE_MAX_BYTES} bytes of JSON`);
  return parseNode(template, field, 0);
}

function parseNode(value: unknown, field: string, depth: number): TemplateNode {
  if (depth > MAX_DEPTH) throw refused(field, 'is nested too deeply', `at most ${MAX_DEPTH} levels`);
  if (typeof value === 'string') return parseString(value, field);
  if (Array.isArray(value))
    return {
      kind: 'list',
      items: value.map((item, index) => parseNode(item, `${field}[${index}]`, depth + 1)),
    };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return {
      kind: 'object',
      entries: entries.map(([name, item]) => [name, parseNode(item, `${field}.${name}`, depth + 1)]),
    };
  }
  return { kind: 'constant', value };
}

function parseString(text: string, field: string): TemplateNode {
  try {
    const parts = parseText(text);
    return parts.every((part) => typeof part === 'string')
      ? { kind: 'constant', value: parts.join('') }
      : { kind: 'text', parts };
  } catch (error) {
    if (error instanceof TemplateSyntaxError)
      throw refused(field, `is refused: ${error.message}`, error.allowed);
    throw error;
  }
}

function refused(field: string, problem: string, allowed: string): DomainError {
  return new DomainError('InvalidArgument', `${field} ${problem}; allowed: ${allowed}`, { field, allowed });
}
