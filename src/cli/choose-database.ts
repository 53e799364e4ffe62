import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { toError } from '../core/errors.ts';
import { startEmbeddedPostgres } from '../postgres/cluster.ts';
import type { Logger } from '../telemetry/log.ts';
import { publishDatabaseUrl, withdrawDatabaseUrl } from './local-database.ts';

/** The database of an all-in-one process: the user's own, or an embedded one that ends with the process. */
export interface ChosenDatabase {
  readonly url: string;
  readonly notes: readonly string[];
  stop(): Promise<void>;
}

/** Starts of a server that ended by itself, one after the other, before it is given up. */
const MAX_RESTARTS = 5;
const CALM_MS = 600_000;

/**
 * The configured server, or the embedded one, started in `<data dir>/postgres` and started again should it
 * end by itself.
 * @throws DomainError `DataDirInUse` · EmbeddedPostgresError
 */
export async function chooseDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
): Promise<ChosenDatabase> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl, notes: [], stop: async () => undefined };
  }
  await mkdir(config.dataDir, { recursive: true });
  let restartCount = 0;
  let restartedMs = Number.NEGATIVE_INFINITY;
  const server = await startEmbeddedPostgres({
    dataDir: join(config.dataDir, 'postgres'),
    log: (line) => log.debug({ line }, 'postgres'),
    onUnexpectedExit: (how) => {
      if (performance.now() - restartedMs > CALM_MS) restartCount = 0;
      restartedMs = performance.now();
      if (++restartCount > MAX_RESTARTS) {
        log.fatal({ how }, 'postgres: ended once too often; start again to look into it');
        return;
      }
      log.error({ how, restartCount }, 'postgres: ended by itself; starting it again');
      server
        .restart('fast')
        .catch((thrown) => log.fatal({ reason: toError(thrown).message }, 'postgres: does not start again'));
    },
  });
  await publishDatabaseUrl(config.dataDir, server.url);
  return {
    url: server.url,
    notes: server.notes,
    stop: async () => {
      await withdrawDatabaseUrl(config.dataDir);
      await server.stop();
    },
  };
}
