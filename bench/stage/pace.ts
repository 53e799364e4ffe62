import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../measuring/statistics.ts';

const MIN_PAUSE_MS = 20;
const SPREAD_MS = 40;

/**
 * Pauses between samples of an idle latency: long enough for everything to have come to rest, and uneven, so
 * that they fall into step with no poll or merge window.
 */
export function unevenPauses(): () => Promise<void> {
  const random = seededRandom(1);
  return () => delay(MIN_PAUSE_MS + SPREAD_MS * random());
}
