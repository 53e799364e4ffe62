import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory for the running test, removed when it ends. */
export async function makeTempDir(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'millrace-test-')));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  return path;
}
