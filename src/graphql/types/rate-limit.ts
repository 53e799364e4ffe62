import type { RateLimit } from '../../core/definition.ts';
import { builder } from '../builder.ts';

export const RateLimitType = builder.objectRef<RateLimit>('RateLimit').implement({
  description: 'N starts in a period.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Starts.' }),
    periodSeconds: t.exposeInt('periodSeconds', { description: 'Within N seconds.' }),
  }),
});

export const RateLimitInput = builder.inputType('RateLimitInput', {
  description: 'N starts in a period.',
  fields: (t) => ({
    count: t.int({ required: true, description: '1 to 1000000.' }),
    periodSeconds: t.int({ required: true, description: '1 to 86400.' }),
  }),
});

/** The two columns of a rate as one value. */
export function rateLimitOf(count: number | null, periodSeconds: number | null): RateLimit | null {
  return count === null || periodSeconds === null ? null : { count, periodSeconds };
}
