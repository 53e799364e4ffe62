import type { ParamRule, ParamRules } from './page-params.ts';

/** `?a=b` as texts, and back: addresses that a person can read and write. */
export function parseParams(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifyParams(params: Record<string, unknown>): string {
  const entries = Object.entries(params).filter(
    ([name, value]) => name !== 'dropped' && value !== undefined && value !== '',
  );
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
}

/** Takes the parameters that a page knows and that hold what it allows; `dropped` names the others. */
export function validated<Name extends string>(
  given: Record<string, unknown>,
  rules: ParamRules,
): { readonly [name in Name]?: string | undefined } & { readonly dropped?: string | undefined } {
  const kept: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (name === 'dropped' || value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule !== undefined && isAllowed(rule, String(value))) kept[name] = String(value);
    else dropped.push(`${name}=${String(value)}`);
  }
  return {
    ...kept,
    ...(dropped.length > 0 && { dropped: dropped.join(', ').slice(0, 200) }),
  } as { readonly [name in Name]?: string | undefined };
}

function isAllowed(rule: ParamRule, value: string): boolean {
  return rule instanceof RegExp ? rule.test(value) : rule.includes(value);
}
