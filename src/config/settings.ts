/** One setting: its variable, what it means, its default as text, and how its text becomes a value. */
export interface Setting<T> {
  readonly variable: string;
  readonly description: string;
  readonly defaultText: string | null;
  /** The default where `NODE_ENV` is `production`, if that is another one. */
  readonly productionText?: string;
  /** Throws an Error whose message says what is allowed. */
  readonly parse: (text: string) => T;
  /** Never printed by `--check` or in an error. */
  readonly secret?: boolean;
}

/** The default of a setting in this environment, as text. */
export function defaultTextOf(
  setting: Setting<unknown>,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  return env['NODE_ENV'] === 'production'
    ? (setting.productionText ?? setting.defaultText)
    : setting.defaultText;
}

/** An integer within bounds. */
export function integer(
  variable: string,
  description: string,
  defaultValue: number,
  min: number,
  max: number,
): Setting<number> {
  return {
    variable,
    description,
    defaultText: String(defaultValue),
    parse: (text) => {
      const value = Number(text);
      if (!/^-?\d+$/.test(text.trim()) || value < min || value > max)
        throw new Error(`an integer from ${min} to ${max}`);
      return value;
    },
  };
}

/** An integer within bounds that may be omitted. */
export function optionalInteger(
  variable: string,
  description: string,
  min: number,
  max: number,
): Setting<number | null> {
  return { ...integer(variable, description, min, min, max), defaultText: null };
}

/** A number within bounds. */
export function number(
  variable: string,
  description: string,
  defaultValue: number,
  min: number,
  max: number,
): Setting<number> {
  return {
    variable,
    description,
    defaultText: String(defaultValue),
    parse: (text) => {
      const value = Number(text);
      if (!/^\d+(\.\d+)?$/.test(text.trim()) || value < min || value > max)
        throw new Error(`a number from ${min} to ${max}`);
      return value;
    },
  };
}

/** `true` or `false` (also 1, 0, yes, no, on, off). */
export function flag(
  variable: string,
  description: string,
  defaultValue: boolean,
  productionValue: boolean = defaultValue,
): Setting<boolean> {
  return {
    variable,
    description,
    defaultText: String(defaultValue),
    ...(productionValue !== defaultValue && { productionText: String(productionValue) }),
    parse: (text) => {
      if (/^(true|1|yes|on)$/i.test(text)) return true;
      if (/^(false|0|no|off)$/i.test(text)) return false;
      throw new Error('true or false');
    },
  };
}

/** One of a few words. */
export function choice<T extends string>(
  variable: string,
  description: string,
  defaultValue: T,
  allowed: readonly T[],
): Setting<T> {
  return {
    variable,
    description,
    defaultText: defaultValue,
    parse: (text) => {
      const found = allowed.find((word) => word === text);
      if (found === undefined) throw new Error(`one of ${allowed.join(', ')}`);
      return found;
    },
  };
}

/** Text that matches a rule, with a default. */
export function text(
  variable: string,
  description: string,
  defaultValue: string,
  rule: RegExp,
  allowed: string,
): Setting<string> {
  return {
    variable,
    description,
    defaultText: defaultValue,
    parse: (given) => matching(given, rule, allowed),
  };
}

/** Text that may be omitted. */
export function optionalText(
  variable: string,
  description: string,
  rule: RegExp,
  allowed: string,
  secret = false,
): Setting<string | null> {
  return {
    variable,
    description,
    defaultText: null,
    secret,
    parse: (given) => matching(given, rule, allowed),
  };
}

/** A comma-separated list; empty by default. */
export function list(
  variable: string,
  description: string,
  rule: Pick<RegExp, 'test'>,
  allowed: string,
): Setting<readonly string[]> {
  return {
    variable,
    description,
    defaultText: '',
    parse: (given) =>
      given
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map((item) => matching(item, rule, allowed)),
  };
}

function matching(given: string, rule: Pick<RegExp, 'test'>, allowed: string): string {
  if (!rule.test(given)) throw new Error(allowed);
  return given;
}
