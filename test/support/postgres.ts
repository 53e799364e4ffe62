import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/postgres/cluster.ts';
import { stopLeftovers } from '../../src/postgres/leftovers.ts';
import { claimDirectory } from '../../src/postgres/owner-lock.ts';
import { memoryDirectory } from './memory-directory.ts';

const PREFIX = 'millrace-test-cluster-';

/** A server of a test's own, in a temporary directory. */
export type TestCluster = EmbeddedPostgres & {
  /** What the server has logged so far. */
  readonly logLines: readonly string[];
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
};

/**
 * Starts an empty server for a test that stops, restarts or crashes it. Its database `millrace` is not
 * migrated.
 * Durability is off: a crash of the server loses nothing all the same, only one of the machine would. (With
 * `full_page_writes` off a page that a killed server was writing may be torn: a test that kills it turns that
 * on.)
 */
export async function startTestCluster({
  settings = {},
}: {
  settings?: Record<string, string>;
} = {}): Promise<TestCluster> {
  const dataDir = await mkdtemp(join(await memoryDirectory(), PREFIX));
  // Run by root, the server has a user of its own, who must get in.
  await chmod(dataDir, 0o755);
  const logLines: string[] = [];
  const cluster = await startEmbeddedPostgres({
    dataDir,
    log: (line) => logLines.push(line),
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: '400',
      max_wal_size: '256MB',
      // Only replicas and backups would need more.
      wal_level: 'minimal',
      max_wal_senders: '0',
      // Tests analyze what they need; by itself the server would look through each file's database, at a time
      // of its own.
      autovacuum_naptime: '1d',
      // Parts that a killed server leaves are within its directory, and gone with it.
      dynamic_shared_memory_type: 'mmap',
      ...settings,
    },
  });
  const remove = async (): Promise<void> => {
    await cluster.stop();
    await rm(cluster.dataDir, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  };
  return Object.assign(cluster, { logLines, remove });
}

/**
 * Stops and deletes the servers that test runs which were killed have left in a folder.
 * @param minAgeMs one that was only just made may not be claimed yet
 */
export async function removeAbandonedClusters(parent: string, minAgeMs = 0): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(parent, name);
    try {
      if (Date.now() - (await stat(directory)).mtimeMs < minAgeMs) continue;
      const lock = await claimDirectory(directory);
      await stopLeftovers(directory, () => {});
      await rm(directory, { recursive: true, force: true });
      await lock.release();
    } catch {
      // In use by another run, or another user's: none of our business.
    }
  }
}
