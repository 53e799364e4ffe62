import type { PixelBox } from '../../core/pipelines/text-line.ts';
import { builder } from '../builder.ts';

export const PixelBoxType = builder.objectRef<PixelBox>('PixelBox').implement({
  description: 'A place in a picture: pixels of the source as displayed, from its upper left corner.',
  fields: (t) => ({
    x: t.exposeFloat('x', { description: 'Its left edge.' }),
    y: t.exposeFloat('y', { description: 'Its upper edge.' }),
    width: t.exposeFloat('width', { description: 'Its width.' }),
    height: t.exposeFloat('height', { description: 'Its height.' }),
  }),
});

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
