import type { CodeOptions } from 'ajv';
import formats, { type FormatsPlugin } from 'ajv-formats';

type RegExpEngine = NonNullable<CodeOptions['regExp']>;
type FormattedAjv = Parameters<FormatsPlugin>[0];
type AddedFormat = NonNullable<FormattedAjv['formats'][string]>;

/**
 * Characters of a text that a `pattern` or a `format` is run on. Backtracking takes time by the square of the
 * text or worse, and neither `maxLength` nor an earlier error keeps it from being run.
 */
export const MAX_CHECKED_TEXT_LENGTH = 10_000;

/**
 * Formats whose expression takes longer than others on what looks almost right. Longer URLs are of no use
 * anywhere.
 */
const SHORTER: Readonly<Record<string, number>> = { url: 2_048, 'uri-template': 2_048 };
/** Base64 is long by nature, and looked at once from left to right. */
const UNBOUNDED: readonly string[] = ['byte', 'binary', 'password'];

/** A text is longer than a pattern or format is run on. */
export class TextTooLong extends Error {
  readonly maxLength: number;

  constructor(maxLength: number) {
    super(`A pattern or format is run on texts of at most ${maxLength} characters`);
    this.name = 'TextTooLong';
    this.maxLength = maxLength;
  }
}

/**
 * For Ajv's `code.regExp`: the expressions of schemas, which throw `TextTooLong` rather than to be run on
 * what is too long.
 */
export const boundedRegExp: RegExpEngine = Object.assign(
  (pattern: string, flags: string) => new BoundedRegExp(pattern, flags),
  // What standalone code would say; none is made.
  { code: 'new RegExp' },
);

class BoundedRegExp {
  readonly #expression: RegExp;

  constructor(pattern: string, flags: string) {
    this.#expression = new RegExp(pattern, flags);
  }

  test(text: string): boolean {
    bound(text, MAX_CHECKED_TEXT_LENGTH);
    return this.#expression.test(text);
  }

  /** Ajv distinguishes expressions by this. */
  toString(): string {
    return String(this.#expression);
  }
}

/** Adds the formats of JSON Schema to an Ajv; those of texts throw `TextTooLong`. */
export function addBoundedFormats(ajv: FormattedAjv): void {
  formats.default(ajv);
  // Says how the field is shown, and nothing about its value.
  ajv.addFormat('secret', true);
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format === undefined || UNBOUNDED.includes(name)) continue;
    ajv.formats[name] = bounded(format, SHORTER[name] ?? MAX_CHECKED_TEXT_LENGTH);
  }
}

function bounded(format: AddedFormat, maxLength: number): AddedFormat {
  if (format === true) return format;
  if (format instanceof RegExp || typeof format === 'function') {
    const isOne =
      format instanceof RegExp ? (text: string) => format.test(text) : (format as (text: string) => boolean);
    return (text: string) => {
      bound(text, maxLength);
      return isOne(text);
    };
  }
  if (format.type === 'number' || typeof format.validate === 'boolean') return format;
  const validate = bounded(format.validate as AddedFormat, maxLength);
  return { ...format, validate } as AddedFormat;
}

function bound(text: string, maxLength: number): void {
  if (text.length > maxLength) throw new TextTooLong(maxLength);
}
