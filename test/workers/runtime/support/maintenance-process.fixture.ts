import { Database } from '../../../../src/db/database.ts';
import { createNotifier } from '../../../../src/db/notifier.ts';
import { createPostgresQueue } from '../../../../src/queue/postgres-queue.ts';
import { createLogger } from '../../../../src/telemetry/log.ts';
import { startMaintenance } from '../../../../workers/maintenance/round.ts';
import { testPipelines } from '../../../support/pipelines.ts';

// A process that only does maintenance, for tests that kill it: it is up sooner than a whole worker. Logs to
// stderr.

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
const notifier = createNotifier({ connectionString: url, log });
const maintenance = startMaintenance({
  database,
  log,
  queue: createPostgresQueue(database, notifier, new Map(), { pipelines: testPipelines }),
});
process.once('SIGTERM', async () => {
  await maintenance.stop();
  await notifier.close();
  await database.close();
  process.exit();
});
