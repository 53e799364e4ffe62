import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { registerOpen } from './leaks.ts';
import { TEMPLATE_NAME } from './template.ts';

/** A migrated database of a test file's own. */
export type TestDatabase = {
  /** `postgres://` URL of a superuser. */
  readonly url: string;
  readonly name: string;
  /** Deletes it, ending whatever sessions are left in it. */
  drop(): Promise<void>;
};

/**
 * Clones the migrated template of this run. To be dropped in `afterAll`; a forgotten one fails the file.
 *
 * @throws Error with the reason when migrating the template failed
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const problem = inject('templateProblem');
  if (problem !== '') throw new Error(`there is no migrated database to clone: ${problem}`);
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Half of the processor's time of wal_log [measured]; its checkpoints, which dropping takes anyway, wait
  // for no disk (fsync is off).
  await onServer(`create database ${name} template ${TEMPLATE_NAME} strategy file_copy`);
  const closed = registerOpen(`database ${name}`);
  return {
    name,
    url: Object.assign(new URL(inject('testServerUrl')), { pathname: `/${name}` }).href,
    drop: async () => {
      await onServer(`drop database if exists ${name} with (force)`);
      closed();
    },
  };
}

/** Runs a statement on the server that all tests share. */
export async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('testServerUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
