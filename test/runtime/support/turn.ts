import type { Turn } from '../../../workers/maintenance/duty.ts';

/** A turn that nobody ends, without rests. */
export function turn(upSeconds = Number.POSITIVE_INFINITY): Turn {
  return { goOn: () => true, upSeconds, pause: async () => undefined };
}
