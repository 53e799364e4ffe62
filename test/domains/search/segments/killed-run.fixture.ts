// A worker that dies in the middle of its transaction: the real store indexes, and at the stage that is named
// it is killed.
import { Database } from '../../../../src/db/database.ts';
import { createSegmentIndexStore } from '../../../../src/domains/search/stores/segment-index-store.ts';

const [url = '', claimed = '', manifestId = '', dieAt = ''] = process.argv.slice(2);
const db = new Database({
  connectionString: url,
  rolePrefix: 'millrace',
  maxConnections: 2,
  applicationName: 'killed run',
  preparedStatements: true,
  onError: () => undefined,
});
const { job, lease } = JSON.parse(claimed);
const store = createSegmentIndexStore(db, job, lease);
await store.index({
  manifestId,
  toleranceMs: 150,
  signal: new AbortController().signal,
  onProgress: (_percent, stage) => {
    if (stage === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
