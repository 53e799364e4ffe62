/**
 * Any value as text, for where a text belongs and a program gave something else: a text as it is, numbers and
 * the like as they are written, objects as JSON, and what cannot be written as what it is. Never throws.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    if (typeof value !== 'object' || value === null) return String(value);
    return JSON.stringify(value) ?? Object.prototype.toString.call(value);
  } catch {
    return typeof value === 'object' ? 'an object that cannot be written' : typeof value;
  }
}
