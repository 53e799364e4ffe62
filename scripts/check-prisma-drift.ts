/**
 * Compares prisma/schema.prisma with the database that the migrations make, in an embedded Postgres of its
 * own.
 */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/db/migrate/migrate.ts';
import { startEmbeddedPostgres } from '../src/postgres/cluster.ts';
import { findDrift } from './drift/find-drift.ts';

const parent = await mkdtemp(join(tmpdir(), 'millrace-drift-'));
// As root, Postgres has a user of its own, who must get in.
await chmod(parent, 0o755);
const postgres = await startEmbeddedPostgres({
  dataDir: join(parent, 'data'),
  log: () => undefined,
  settings: { fsync: 'off' },
});
try {
  await migrate({ connectionString: postgres.url });
  const schema = await readFile(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');
  const problems = await findDrift(postgres.url, schema);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await postgres.stop();
  await rm(parent, { recursive: true, force: true });
}
