import { fieldOf } from '../field-of.ts';
import type { TemplateNode } from './parse-template.ts';
import type { Placeholder, TextPart } from './placeholder.ts';

/**
 * What a template can look up. Only fields of JSON values are found, never anything that JavaScript adds to
 * them.
 */
export interface TemplateContext {
  readonly event?: unknown;
  readonly schedule?: unknown;
  readonly trigger: unknown;
  readonly tenant: unknown;
}

/** A placeholder without a value: which, and at which place of the template. */
export class TemplateRenderError extends Error {
  /** `payloadTemplate.path_prefix`. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Texts that are made of several parts end here: a short template must not make a payload of any size. */
const MAX_TEXT_CHARACTERS = 1_000_000;

/** Marks an entry that is omitted. */
const OMITTED = Symbol('omitted');

/**
 * Fills a template. A text that is one placeholder keeps the JSON type of its value (a number stays a number,
 * an object an object); within a longer text, texts, numbers and booleans are written out.
 * @returns the payload
 * @throws TemplateRenderError for a missing field without default, and for an object or a list within a text
 */
export function renderTemplate(
  node: TemplateNode,
  context: TemplateContext,
  field = 'payloadTemplate',
): unknown {
  const value = render(node, context, field);
  return value === OMITTED ? null : value;
}

function render(node: TemplateNode, context: TemplateContext, field: string): unknown {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'text':
      return renderText(node.parts, context, field);
    case 'list':
      return node.items
        .map((item, index) => render(item, context, `${field}[${index}]`))
        .filter((item) => item !== OMITTED);
    case 'object': {
      // Without a prototype, so that a field named __proto__ is a field like any other.
      const filled: Record<string, unknown> = Object.create(null);
      for (const [name, item] of node.entries) {
        const value = render(item, context, `${field}.${name}`);
        if (value !== OMITTED) filled[name] = value;
      }
      return filled;
    }
  }
}

function renderText(parts: readonly TextPart[], context: TemplateContext, field: string): unknown {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') return resolve(only, context, field);
  let text = '';
  for (const part of parts) {
    const value = typeof part === 'string' ? part : resolve(part, context, field);
    if (value === OMITTED) return OMITTED;
    if (typeof value === 'object' && value !== null)
      throw new TemplateRenderError(
        field,
        `{{${pathOf(part as Placeholder)}}} is ${Array.isArray(value) ? 'a list' : 'an object'} and cannot stand within a text`,
      );
    text += String(value);
    if (text.length > MAX_TEXT_CHARACTERS)
      throw new TemplateRenderError(field, `the text has more than ${MAX_TEXT_CHARACTERS} characters`);
  }
  return text;
}

function resolve(placeholder: Placeholder, context: TemplateContext, field: string): unknown {
  let value: unknown = context;
  for (const name of placeholder.path) {
    value = fieldOf(value, name);
    if (value === undefined) {
      if (placeholder.fallback !== undefined) return placeholder.fallback.value;
      if (placeholder.isOptional) return OMITTED;
      throw new TemplateRenderError(field, `{{${pathOf(placeholder)}}} is missing: there is no "${name}"`);
    }
  }
  return value;
}

function pathOf({ path }: Placeholder): string {
  return path.join('.');
}
