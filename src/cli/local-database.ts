import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE_NAME = 'database-url';

/**
 * Leaves the URL of a running embedded server where our own commands find it (mode 0600: it holds the
 * password).
 */
export async function publishDatabaseUrl(dataDir: string, url: string): Promise<void> {
  await writeFile(join(dataDir, FILE_NAME), url, { mode: 0o600 });
}

/** Takes it away at the end of the server. */
export async function withdrawDatabaseUrl(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE_NAME), { force: true });
}

/**
 * URL of the embedded server that runs on this data directory, or null. A killed start may leave a dead one.
 */
export async function readDatabaseUrl(dataDir: string): Promise<string | null> {
  return readFile(join(dataDir, FILE_NAME), 'utf8').catch(() => null);
}
