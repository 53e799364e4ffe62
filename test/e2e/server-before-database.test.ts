import { expect, test } from 'vitest';
import { findFreePort } from '../../src/postgres/free-port.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { startTestCluster } from '../support/postgres.ts';
import { startProgram } from '../support/program.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait.ts';

const SECRET = 'a-secret-of-tests-that-is-long-enough-for-anyone';

test('a server that is started before its database waits for it, and ends at a signal meanwhile', async () => {
  const cluster = await startTestCluster();
  const port = await findFreePort();
  const network = await startCutProxy(cluster.url);
  network.set('refuse');
  const env = {
    DATABASE_URL: network.url,
    PORT: String(port),
    MILLRACE_JWT_SECRET: SECRET,
    MILLRACE_SIGNING_SECRET: SECRET,
    MILLRACE_STORAGE_DIR: await makeTempDir(),
  };
  const waiting = startProgram('src/server.ts', [], env);
  const given = startProgram('src/server.ts', [], env);
  try {
    for (const program of [waiting, given])
      await waitFor(
        () =>
          program.stderr().includes('database away, trying again') ||
          program.stdout().includes('database away, trying again'),
        {
          describe: () => `the server to wait; it said:\n${program.stderr()}`,
        },
      );
    given.child.kill('SIGTERM');
    expect(await given.ended()).toBe(0);
    network.set('pass');
    await waitFor(
      () =>
        fetch(`http://127.0.0.1:${port}/health/ready`, { headers: { connection: 'close' } }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      {
        describe: () => `the server to be ready; it said:\n${waiting.stderr()}`,
        pollMs: 100,
      },
    );
    expect(await waiting.interrupt()).toBe(0);
  } finally {
    await waiting.kill();
    await given.kill();
    await network.close();
    await cluster.remove();
  }
});
