import { builder } from '../../../graphql/builder.ts';
import type { PixelBox } from '../../../text/text-line.ts';

export const PixelBoxType = builder.objectRef<PixelBox>('PixelBox').implement({
  description: 'A place in a picture: pixels of the source as displayed, from its upper left corner.',
  fields: (t) => ({
    x: t.exposeFloat('x', { description: 'Its left edge.' }),
    y: t.exposeFloat('y', { description: 'Its upper edge.' }),
    width: t.exposeFloat('width', { description: 'Its width.' }),
    height: t.exposeFloat('height', { description: 'Its height.' }),
  }),
});
