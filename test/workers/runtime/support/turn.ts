import type { Turn } from '../../../../src/core/duty.ts';

/** A turn that nobody ends, without rests. */
export function turn(upSeconds = Number.POSITIVE_INFINITY): Turn {
  return { goOn: () => true, upSeconds, pause: async () => undefined };
}
