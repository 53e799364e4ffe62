import { toError } from '../core/errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { API_CONNECTIONS, WORKER_CONNECTIONS } from './connection-shares.ts';
import type { Database } from './database.ts';
import { type ConnectionRoomRow, readConnectionRoom } from './sql/doctor/read-connection-room.ts';

/** What is wrong with the room for connections, or null. @param own what this process may open */
export function connectionShortage(
  { allowed, open, workers }: ConnectionRoomRow,
  own: number,
): string | null {
  if (own > allowed) return `this process may open ${own} connections, and the server takes ${allowed}`;
  const all = workers * WORKER_CONNECTIONS + API_CONNECTIONS;
  if (all > allowed)
    return `${workers} workers and one API may open ${all} connections together, and the server takes ${allowed}`;
  return open + own > allowed
    ? `${open} of ${allowed} connections are open, and this process may open ${own}`
    : null;
}

/**
 * Says at a process' start when its connections, or those of the whole fleet, may be more than the server
 * takes. Never throws.
 */
export async function warnOfConnections(database: Database, own: number, log: Logger): Promise<void> {
  try {
    const { rows } = await database.asWorker<ConnectionRoomRow>(readConnectionRoom, []);
    const shortage = rows[0] === undefined ? null : connectionShortage(rows[0], own);
    if (shortage !== null)
      log.warn(
        { ...rows[0], own },
        `database: ${shortage}; raise max_connections, lower MILLRACE_MAX_CONNECTIONS, or put a pooler in front`,
      );
  } catch (error) {
    log.debug({ err: toError(error) }, 'database: could not count its connections');
  }
}
