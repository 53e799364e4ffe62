import { createBell } from '../../../src/db/bell.ts';
import { Database } from '../../../src/db/database.ts';
import { createPostgresQueue } from '../../../src/queue/postgres-queue.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { startMaintenance } from '../../../workers/maintenance/round.ts';

// A process that only does maintenance, for tests that kill it: it is up sooner than a whole worker. Logs to stderr.

const url = process.argv[2] ?? '';
const log = createLogger({ logLevel: 'info', logFormat: 'json' }, 'maintenance');
const database = new Database({
  connectionString: url,
  rolePrefix: 'millrace',
  maxConnections: 5,
  applicationName: 'millrace test maintenance',
  preparedStatements: true,
  onError: () => undefined,
});
const bell = createBell({ connectionString: url, log });
const maintenance = startMaintenance({
  database,
  bell,
  log,
  queue: createPostgresQueue(database, bell, new Map()),
});
process.once('SIGTERM', async () => {
  await maintenance.stop();
  await bell.close();
  await database.close();
  process.exit();
});
