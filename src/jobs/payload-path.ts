/** A key of an object, or a place in a list. */
export type PathStep = string | number;

const MAX_LENGTH = 200;

/**
 * A place in a payload as JSON path: `payload.items[3].url`. Cut from inside deep payloads and under long
 * keys, and well-formed.
 */
export function payloadPath(steps: readonly PathStep[]): string {
  let path = 'payload';
  for (const step of steps) {
    path += typeof step === 'number' ? `[${step}]` : `.${step.slice(0, MAX_LENGTH)}`;
    if (path.length > MAX_LENGTH) break;
  }
  return path.slice(0, MAX_LENGTH).toWellFormed();
}

/** The first text or key that is longer than that, as a path; null without any. */
export function pathOfLongText(value: unknown, maxLength: number, steps: PathStep[] = []): string | null {
  if (typeof value === 'string') return value.length > maxLength ? payloadPath(steps) : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const inner = [...steps, Array.isArray(value) ? Number(key) : key];
    const found = key.length > maxLength ? payloadPath(inner) : pathOfLongText(item, maxLength, inner);
    if (found !== null) return found;
  }
  return null;
}
