import { extname } from 'node:path';
import type { HeartbeatThread } from './runtime/heartbeat-messages.ts';

/** How the thread reaches the database: over connections of its own. */
export interface ThreadDatabase {
  readonly connectionString: string;
  readonly rolePrefix: string;
  readonly preparedStatements: boolean;
  readonly pooler?: 'none' | 'transaction';
  /** A connection that gives no answer for this long is replaced, while there is still time to renew. */
  readonly queryTimeoutMs: number;
}

/** Heartbeats of a worker on Postgres. */
export function postgresHeartbeat(engine: ThreadDatabase): HeartbeatThread {
  // `.js` in the package: the compiler rewrites imports, not URLs.
  const file = `./postgres-heartbeat-thread${extname(import.meta.filename)}`;
  return { entry: new URL(file, import.meta.url), engine };
}
