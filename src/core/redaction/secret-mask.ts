import { mapSecretFields } from './secret-fields.ts';
import { SECRET_SHOWN } from './secret-name.ts';

/** Shorter ones are in every text. */
const MIN_LENGTH = 4;
const MAX_VALUES = 1000;
const MAX_DEPTH = 100;

/** The values of a job's secret fields, to be hidden wherever they come up again: output, errors, results. */
export class SecretMask {
  /** Longest first: one may be part of another. */
  readonly #values: readonly string[];

  private constructor(values: readonly string[]) {
    this.#values = values;
  }

  /**
   * @returns null for a payload without secrets, or with none that is long enough to be distinguished from
   *   other text
   */
  static of(schema: unknown, payload: unknown): SecretMask | null {
    if (typeof payload !== 'object' || payload === null) return null;
    const found = new Set<string>();
    mapSecretFields(schema, payload, (value) => {
      collect(value, found, 0);
      return value;
    });
    if (found.size === 0) return null;
    const forms = new Set([...found].flatMap(formsOf).filter((text) => text.length >= MIN_LENGTH));
    return forms.size === 0 ? null : new SecretMask([...forms].sort((a, b) => b.length - a.length));
  }

  text(text: string): string {
    let masked = text;
    for (const value of this.#values)
      if (masked.includes(value)) masked = masked.replaceAll(value, SECRET_SHOWN);
    return masked;
  }

  /** A copy with every text in it masked, keys too. What is no plain data is left as it is. */
  value(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value);
      return this.#values.includes(text) ? SECRET_SHOWN : value;
    }
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth + 1));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [this.text(name), this.value(item, depth + 1)]),
    );
  }
}

function collect(value: unknown, found: Set<string>, depth: number): void {
  if (found.size >= MAX_VALUES || depth > MAX_DEPTH) return;
  if (typeof value === 'string') found.add(value);
  else if (typeof value === 'number') found.add(String(value));
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) collect(item, found, depth + 1);
}

/** As it may be written: plain, in JSON, in a URL, line by line. */
function formsOf(value: string): readonly string[] {
  const lines = value.split(/[\r\n]+/).filter((line) => line.trim().length >= 8);
  return [
    value,
    value.trim(),
    JSON.stringify(value).slice(1, -1),
    encoded(value),
    ...(lines.length > 1 || lines[0] !== value ? lines : []),
  ];
}

function encoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}
