import { MillraceError } from './error.ts';

/**
 * A request as JSON text.
 * @throws MillraceError `INVALID_ARGUMENT` naming the place: for NaN and infinite numbers, which would become
 *   null unseen, for a BigInt, for circles and for a `toJSON` that throws
 */
export function jsonOf(request: object): string {
  const holders: unknown[] = [];
  const keys: string[] = [];
  const refuse = (key: string, value: unknown, allowed: string): never => {
    const path = pathOf(holders, [...keys, key]);
    throw new MillraceError('INVALID_ARGUMENT', `${path} is ${value}; allowed: ${allowed}.`, {
      field: path,
      allowed,
    });
  };
  try {
    return JSON.stringify(request, function visit(this: unknown, key: string, value: unknown): unknown {
      while (holders.length > 0 && holders.at(-1) !== this) {
        holders.pop();
        keys.pop();
      }
      if (typeof value === 'bigint') refuse(key, value, 'a number, or its digits as text');
      if (typeof value === 'number' && !Number.isFinite(value))
        refuse(key, value, 'a finite number, or null');
      if (typeof value === 'object' && value !== null) {
        holders.push(value);
        keys.push(key);
      }
      return value;
    });
  } catch (thrown) {
    if (thrown instanceof MillraceError) throw thrown;
    const problem = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : 'its toJSON throws';
    throw new MillraceError('INVALID_ARGUMENT', `variables cannot be written as JSON (${problem})`, {
      field: 'variables',
      allowed: 'JSON',
      cause: thrown,
    });
  }
}

/**
 * @param keys the first is that of the request itself, and `variables` and `input` go without saying, as in
 *   the server's errors
 */
function pathOf(holders: readonly unknown[], [, ...keys]: readonly string[]): string {
  let path = '';
  for (const [index, key] of keys.entries())
    path += Array.isArray(holders[index]) ? `[${key}]` : `${path === '' ? '' : '.'}${key}`;
  return path.replace(/^variables\.(input\.)?/, '').slice(0, 200);
}
