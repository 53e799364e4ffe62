import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { toError } from '../../src/core/errors.ts';
import { startTestCluster } from './postgres.ts';
import { openRunDirectory } from './run-directory.ts';
import { TEMPLATE_NAME } from './template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's server, to its database `postgres`. */
    testServerUrl: string;
    /** Why there is no migrated template database, or ''. */
    templateProblem: string;
  }
}

// Hundreds of processes load the same modules: compiled once, with their types stripped, they start in half
// the time [measured]. Entries go by content and by version of Node; a process that can't write there
// compiles for itself.
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url));

/** One server for the whole run, with one migrated database in it that test files clone. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  const removeRunDirectory = await openRunDirectory();
  const cluster = await startTestCluster();
  const serverUrl = withDatabase(cluster.url, 'postgres');
  project.provide('testServerUrl', serverUrl);
  project.provide('templateProblem', await makeTemplate(serverUrl));
  return async () => {
    await cluster.remove();
    await removeRunDirectory();
  };
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const migrateModule = new URL('../../src/db/migrate/migrate.ts', import.meta.url);
  if (!existsSync(fileURLToPath(migrateModule))) return 'src/db/migrate/migrate.ts does not exist';
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${TEMPLATE_NAME}`);
    const { migrate } = await import(migrateModule.href);
    await migrate({ connectionString: withDatabase(serverUrl, TEMPLATE_NAME), log: () => {} });
    // Nobody can connect to it any more: a session there would stop every clone.
    await client.query(`alter database ${TEMPLATE_NAME} with is_template true allow_connections false`);
    return '';
  } catch (caught) {
    // Tests without a database run all the same; the others fail with this reason.
    return toError(caught).stack ?? String(caught);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
