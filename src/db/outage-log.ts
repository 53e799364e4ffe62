import type { Logger } from '../telemetry/log.ts';

/** Tells of an outage when it begins, now and then while it lasts, and when it is over. */
export interface OutageLog {
  failed(error: Error): void;
  recovered(): void;
}

/**
 * An outage of an hour is a few hundred lines' worth of failures; this writes one at once, then one each `everyMs`.
 * @param what names the thing that fails, as the log's subject: `listener`, `feed`
 */
export function createOutageLog(log: Logger, what: string, everyMs = 30_000): OutageLog {
  let failures = 0;
  let sinceMs = 0;
  let loggedMs = 0;
  return {
    failed(error) {
      const nowMs = Date.now();
      if (failures++ === 0) sinceMs = nowMs;
      else if (nowMs - loggedMs < everyMs) return;
      loggedMs = nowMs;
      log.warn(
        { what, failures, outageMs: nowMs - sinceMs, reason: error.message },
        `${what}: database away, trying again`,
      );
    },
    recovered() {
      if (failures === 0) return;
      log.info({ what, failures, outageMs: Date.now() - sinceMs }, `${what}: database is back`);
      failures = 0;
    },
  };
}
