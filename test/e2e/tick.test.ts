import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Program, startProgram } from '../support/program.ts';

let database: TestDatabase;
let dataDir: string;
let env: Record<string, string>;
let program: Program | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'millrace-tick-'));
  env = { DATABASE_URL: database.url, MILLRACE_DATA_DIR: dataDir, PORT: '0' };
});
afterAll(async () => {
  await program?.kill();
  await rm(dataDir, { recursive: true, force: true });
  await database.drop();
});

test('a cron job with an API key ticks the program that is API and worker in one', async () => {
  const made = startProgram(
    'src/main.ts',
    ['token', 'create', '--tenant', 'system', '--role', 'super_admin', '--api-key', '--name', 'cron'],
    env,
  );
  expect(await made.ended(), made.stderr()).toBe(0);
  program = startProgram('src/main.ts', ['start'], env);
  const { url } = await program.ready();
  const response = await fetch(`${url}/api/jobs/tick`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${made.stdout().trim()}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ max: 5 }),
  });
  expect(response.status).toBe(200);
  // The worker beside it claims by itself too, so how many are left for a tick is not for a test to say.
  expect(await response.json()).toMatchObject({ claimed: expect.any(Number), failed: 0, lost: 0 });
  expect(await program.interrupt()).toBe(0);
});
