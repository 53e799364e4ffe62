import type { Logger } from '../telemetry/log.ts';

/** Logs an outage when it begins, now and then while it lasts, and when it is over. */
export interface OutageLog {
  failed(error: Error): void;
  recovered(): void;
}

export interface OutageLogOptions {
  readonly everyMs?: number;
  /** What is written after the subject; of a database that is away by default. */
  readonly begun?: string;
  readonly ended?: string;
}

/**
 * An outage of an hour is a few hundred lines' worth of failures; this writes one at once, then one each
 * `everyMs` (30,000 by default).
 * @param what names the thing that fails, as the log's subject: `listener`, `feed`
 */
export function createOutageLog(
  log: Logger,
  what: string,
  {
    everyMs = 30_000,
    begun = 'database away, trying again',
    ended = 'database is back',
  }: OutageLogOptions = {},
): OutageLog {
  let failures = 0;
  let sinceMs = 0;
  let loggedMs = 0;
  return {
    failed(error) {
      const nowMs = Date.now();
      if (failures++ === 0) sinceMs = nowMs;
      else if (nowMs - loggedMs < everyMs) return;
      loggedMs = nowMs;
      log.warn({ what, failures, outageMs: nowMs - sinceMs, reason: error.message }, `${what}: ${begun}`);
    },
    recovered() {
      if (failures === 0) return;
      log.info({ what, failures, outageMs: Date.now() - sinceMs }, `${what}: ${ended}`);
      failures = 0;
    },
  };
}
