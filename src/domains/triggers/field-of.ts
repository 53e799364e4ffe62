/**
 * A field of a JSON value, or an item of a list by its position; undefined where there is none. Only what the
 * value holds itself is found, never anything that JavaScript adds to it (`constructor`, `length`).
 */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
