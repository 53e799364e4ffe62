import { Database } from '../src/db/database.ts';
import { PostgresWorkerRecords } from '../src/queue/worker-records.ts';
import type { ThreadDatabase } from './postgres-heartbeat.ts';
import { runHeartbeat, type ThreadQueue } from './runtime/run-heartbeat.ts';

// The entry of a heartbeat thread on Postgres.

class PostgresThreadQueue extends PostgresWorkerRecords implements ThreadQueue {
  readonly #database: Database;

  constructor(database: Database) {
    super(database);
    this.#database = database;
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

await runHeartbeat(
  (engine, log) =>
    new PostgresThreadQueue(
      new Database({
        ...(engine as ThreadDatabase),
        // Its own, whatever else takes connections: that of its statements stays open.
        maxConnections: 1,
        applicationName: 'millrace heartbeat',
        onError: (error) => log.debug({ reason: error.message }, 'heartbeat: an idle connection broke'),
      }),
    ),
);
