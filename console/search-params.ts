/** `?a=b` as texts, and back: addresses that a person can read and write. */
export function parseParams(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifyParams(params: Record<string, unknown>): string {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
}

/** Takes the parameters that a page knows and that hold what it allows; `dropped` names the others. */
export function validated<Name extends string>(
  given: Record<string, unknown>,
  rules: Readonly<Record<Name, RegExp>>,
): { readonly [name in Name]?: string | undefined } & { readonly dropped?: string | undefined } {
  const kept: Record<string, string> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (name === 'dropped' || value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name as Name] : undefined;
    if (rule?.test(String(value)) === true) kept[name] = String(value);
    else dropped.push(`${name}=${String(value)}`);
  }
  return {
    ...kept,
    ...(dropped.length > 0 && { dropped: dropped.join(', ').slice(0, 200) }),
  } as { readonly [name in Name]?: string | undefined };
}
