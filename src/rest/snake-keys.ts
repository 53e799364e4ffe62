import { snakeCase } from './field-names.ts';

/**
 * The same object under the REST API's names: `baseSeconds` is `base_seconds`. Its values stay as they are.
 */
export function snakeKeys(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [snakeCase(key), inner]));
}

/** And back: `base_seconds` is `baseSeconds`. */
export function camelKeys<T extends object>(value: T): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
      inner,
    ]),
  );
}
