import { randomBytes } from 'node:crypto';
import { toError } from '../../core/errors.ts';
import type { Database } from '../../db/database.ts';
import { openListenSession } from '../../db/listen-session.ts';
import { sendNotifications } from '../../db/sql/feed/send-notifications.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const MOST_LATENCY_MS = 100;
const ROUNDS = 5;
const HEAR_TIMEOUT_MS = 3_000;
const FIX =
  'LISTEN needs a direct connection: set MILLRACE_LISTEN_URL to one that goes past the pooler. Until then Millrace polls every half second.';

/**
 * How long a NOTIFY on the ordinary connection takes to arrive on the listening one: the median of a few.
 */
export async function checkNotifications(
  database: Database,
  listenUrl: string,
  timeoutMs = HEAR_TIMEOUT_MS,
): Promise<Finding> {
  const channel = `millrace_doctor_${randomBytes(6).toString('hex')}`;
  let received: () => void = () => undefined;
  const stopping = new AbortController();
  try {
    const session = await openListenSession({
      connectionString: listenUrl,
      applicationName: 'millrace doctor',
      channels: [channel],
      pingIntervalMs: 60_000,
      pingTimeoutMs: timeoutMs,
      signal: stopping.signal,
      onNotification: () => received(),
    });
    try {
      const tookMs: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        received = resolve;
        const timer = setTimeout(() => reject(new Error(`not received within ${timeoutMs} ms`)), timeoutMs);
        const startedMs = performance.now();
        await database.asLogin(sendNotifications, [[channel], ['']]);
        await promise.finally(() => clearTimeout(timer));
        tookMs.push(performance.now() - startedMs);
      }
      return judgeNotifications(tookMs.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0);
    } finally {
      await session.close();
    }
  } catch (error) {
    return fail('notifications', toError(error).message, FIX);
  }
}

export function judgeNotifications(latencyMs: number): Finding {
  const message = `NOTIFY arrives after ${latencyMs.toFixed(1)} ms`;
  if (latencyMs <= MOST_LATENCY_MS) return ok('notifications', message);
  return warn(
    'notifications',
    message,
    'Look at the load of the server and the way to it: jobs start that much later.',
  );
}
