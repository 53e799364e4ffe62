import { expect, test } from 'vitest';
import { startCutProxy } from '../../support/cut-proxy.ts';
import { createTestDatabase } from '../../support/database.ts';
import { startProgram } from '../../support/program.ts';
import { waitFor } from '../../support/wait.ts';

test('a worker whose database goes away while it starts waits for it, and works then', async () => {
  const database = await createTestDatabase();
  // The first finds the schema as it should be; what comes next is refused, as by a server that restarts.
  const proxy = await startCutProxy(database.url, (no) => no > 1 && no < 6);
  const worker = startProgram('workers/main.ts', [], { DATABASE_URL: proxy.url });
  try {
    await waitFor(() => worker.stderr().includes('"msg":"worker: started"'), {
      describe: () => `the worker to start; it said:\n${worker.stderr()}`,
    });
    expect(worker.stderr()).toContain('start: database away, trying again');
    expect(await worker.interrupt()).toBe(0);
  } finally {
    await worker.kill();
    await proxy.close();
    await database.drop();
  }
});
