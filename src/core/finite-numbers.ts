/** A number that JSON does not have. */
export interface NonFiniteNumber {
  /** As a path: `items[2].price`; empty for the value itself. */
  readonly path: string;
  readonly value: number;
}

/** What is taken instead, in words. */
export const FINITE_NUMBERS = 'finite numbers, or null';

/**
 * The first number of a value that `JSON.stringify` has written as null: NaN and the infinite ones. What is
 * looked at is what is written, so `toJSON` is called and what JSON omits is not seen.
 * @param json what `JSON.stringify` has made of it; without a null in it the value is not walked again
 * @throws what `toJSON` and getters of the value throw
 */
export function findNonFinite(value: unknown, json: string): NonFiniteNumber | null {
  if (!json.includes('null')) return null;
  const holders: object[] = [];
  const keys: string[] = [];
  let found: NonFiniteNumber | null = null;
  JSON.stringify(value, function visit(this: object, key: string, item: unknown): unknown {
    if (found !== null) return undefined;
    while (holders.length > 0 && holders.at(-1) !== this) {
      holders.pop();
      keys.pop();
    }
    const number = item instanceof Number ? item.valueOf() : item;
    if (typeof number === 'number' && !Number.isFinite(number))
      found = { path: pathOf(holders, [...keys, key]), value: number };
    if (typeof item === 'object' && item !== null) {
      holders.push(item);
      keys.push(key);
    }
    return item;
  });
  return found;
}

/** @param keys the first is that of the value itself; each other lies in the holder before it */
function pathOf(holders: readonly object[], [, ...keys]: readonly string[]): string {
  let path = '';
  for (const [index, key] of keys.entries())
    path += Array.isArray(holders[index]) ? `[${key}]` : `${path === '' ? '' : '.'}${key.slice(0, 100)}`;
  return path.slice(0, 200).toWellFormed();
}
