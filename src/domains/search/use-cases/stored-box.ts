import type { PixelBox } from '../../../text/text-line.ts';

/** A box as it is stored; null for what is none, which only a foreign writer could leave there. */
export function storedBox(value: unknown): PixelBox | null {
  if (typeof value !== 'object' || value === null) return null;
  const { x, y, width, height } = value as Record<string, unknown>;
  return typeof x === 'number' &&
    typeof y === 'number' &&
    typeof width === 'number' &&
    typeof height === 'number'
    ? { x, y, width, height }
    : null;
}
