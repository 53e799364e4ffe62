import type { createApp } from './http/app.ts';
import type { IdentityWatch } from './identity/identity-watch.ts';
import type { KeyUses } from './identity/key-uses.ts';
import type { PayloadChecks } from './jobs/payload-checks.ts';
import { closeConnections, type ServerConnections } from './open-connections.ts';
import type { Storage } from './storage/open-storage.ts';
import type { Logger } from './telemetry/log.ts';

/** What closing the connections to the database is given, even when the grace period is over. */
const MIN_CLOSE_MS = 2_000;

/** What a server holds open. */
export interface ServerParts {
  readonly app: ReturnType<typeof createApp>;
  readonly identityWatch: IdentityWatch;
  readonly keyUses: Pick<KeyUses, 'close'>;
  readonly payloads: Pick<PayloadChecks, 'close'>;
  readonly bulkActions: { start(): void; stop(): Promise<void> };
  readonly storage: Storage;
  readonly connections: ServerConnections;
  /** The listener of `/metrics`, where it has one of its own. */
  readonly metricsListener: { close(): Promise<void> } | null;
}

/**
 * Closes them: takes no more requests, and lets those under way finish for as long as the grace period is.
 */
export async function stopServer(parts: ServerParts, graceMs: number, log: Logger): Promise<void> {
  const { app, identityWatch, keyUses, payloads, bulkActions } = parts;
  const { storage, connections, metricsListener } = parts;
  const startedMs = performance.now();
  // What has not finished by then (a stalled upload) will not: a stop must not wait for a client's good will.
  const deadline = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearTimeout(deadline);
  await metricsListener?.close();
  identityWatch.stop();
  await payloads.close();
  await bulkActions.stop();
  storage.store.close?.();
  storage.partials.close?.();
  // Nor for a database that does not answer: the supervisor of this process has set a time as well.
  const leftMs = Math.max(MIN_CLOSE_MS, graceMs - (performance.now() - startedMs));
  if (
    !(await endsWithin(
      keyUses.close().then(() => closeConnections(connections)),
      leftMs,
    ))
  )
    log.warn('server: connections to the database did not close in time');
}

/** @returns false when it takes longer */
async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  const ended = await Promise.race([work.then(() => true), late.promise]);
  clearTimeout(timer);
  return ended;
}
