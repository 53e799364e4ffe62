import { testPipelines } from '../support/pipelines.ts';
// A program that dies between its commit and its notification: the real queue enqueues, and where it would
// notify it is killed.

import { Database } from '../../src/db/database.ts';
import { echo } from '../../src/domains/echo/echo.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';

const [url = '', tenantId = ''] = process.argv.slice(2);
const db = new Database({
  connectionString: url,
  rolePrefix: 'millrace',
  maxConnections: 2,
  applicationName: 'killed writer',
  preparedStatements: true,
  onError: () => undefined,
});
const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};
const notifier = {
  notify: die,
  takeTurn: () => false,
  close: async () => undefined,
  sentCount: 0,
  lostCount: 0,
};
const queue = createPostgresQueue(db, notifier, await syncDefinitions(db, [echo]), {
  pipelines: testPipelines,
});
await queue.enqueue(tenantId, [{ definitionKey: 'echo', payload: { message: 'x' }, priority: 100 }]);
// Nothing can come after the notification but the kernel's signal.
setInterval(() => undefined, 60_000);
