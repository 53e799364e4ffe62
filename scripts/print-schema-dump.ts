/**
 * Writes prisma/schema-dump.sql: what the migrations and routines make, from the catalog of an embedded
 * Postgres of its own, so that a change's effect is seen in its review. A test compares it.
 */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../src/db/migrate/migrate.ts';
import { startEmbeddedPostgres } from '../src/postgres/cluster.ts';
import { dumpSchema } from './schema-dump/dump.ts';

const parent = await mkdtemp(join(tmpdir(), 'millrace-dump-'));
// As root, Postgres has a user of its own, who must get in.
await chmod(parent, 0o755);
const postgres = await startEmbeddedPostgres({
  dataDir: join(parent, 'data'),
  log: () => undefined,
  settings: { fsync: 'off' },
});
try {
  await migrate({ connectionString: postgres.url });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const dump = await dumpSchema(client).finally(() => client.end());
  await writeFile(new URL('../prisma/schema-dump.sql', import.meta.url), dump);
} finally {
  await postgres.stop();
  await rm(parent, { recursive: true, force: true });
}
