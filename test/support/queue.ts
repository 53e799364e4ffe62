import type pg from 'pg';
import { Type } from 'typebox';
import { defineJob, failureJobsOf, type JobDefinition } from '../../src/core/definition.ts';
import type { SyncedDefinition } from '../../src/core/definition-records.ts';
import type { ClaimedJob, JobQueue } from '../../src/core/queue.ts';
import { Database, type Transaction } from '../../src/db/database.ts';
import { createNotifier, type Notifier } from '../../src/db/notifier.ts';
import type { DefinitionRow } from '../../src/db/sql/queue/find-definitions.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { syncDefinitions } from '../../src/queue/sync-definitions.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createTestDatabase } from './database.ts';
import { testPipelines } from './pipelines.ts';
import { connectSuperuser } from './superuser.ts';

export const silentLog = createLogger({ logLevel: 'silent', logFormat: 'json' }, 'test');

/** Two definitions for tests of the queue itself: anything goes as their payload. */
export const alpha = defineJob({ key: 'alpha', payload: Type.Any(), leaseSeconds: 30 });
export const beta = defineJob({ key: 'beta', payload: Type.Any(), leaseSeconds: 30 });

/** A queue on a database of its own, with a superuser's client beside it for looking and meddling. */
export interface TestQueue {
  readonly url: string;
  readonly db: Database;
  readonly notifier: Notifier;
  readonly queue: JobQueue<DefinitionRow, Transaction>;
  readonly superuser: pg.Client;
  readonly definitions: ReadonlyMap<string, SyncedDefinition>;
  definitionId(key: string): string;
  makeTenant(slug?: string): Promise<string>;
  /** Claims up to `limit` jobs of all definitions, from the first lane on. */
  claim(limit?: number, workerId?: string): Promise<readonly ClaimedJob[]>;
  job(id: string): Promise<Record<string, unknown>>;
  /**
   * Ends what a test left open on `superuser`, and deletes every job: for `beforeEach`, so that no try sees
   * what another left.
   */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one; to be closed in `afterAll`. */
export async function openTestQueue(
  declared: readonly JobDefinition[] = [alpha, beta],
  maxConnections = 10,
): Promise<TestQueue> {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase(url, maxConnections);
  const notifier = createNotifier({ connectionString: url, log: silentLog });
  const definitions = await syncDefinitions(db, declared);
  const queue = createPostgresQueue(db, notifier, definitions, {
    pipelines: testPipelines,
    failureJobs: failureJobsOf(declared),
  });
  const superuser = await connectSuperuser(url);
  let tenants = 0;
  const definitionId = (key: string): string => {
    const found = [...definitions.values()].find((definition) => definition.key === key);
    if (found === undefined) throw new Error(`no definition ${key}`);
    return found.id;
  };
  return {
    url,
    db,
    notifier,
    queue,
    superuser,
    definitions,
    definitionId,
    makeTenant: async (slug = `tenant-${++tenants}`) => {
      const { rows } = await superuser.query(
        'insert into millrace.tenants (slug, name) values ($1, $1) returning id',
        [slug],
      );
      return rows[0].id;
    },
    claim: async (limit = 10, workerId = 'worker-a') =>
      (await queue.claim({ workerId, definitionIds: [...definitions.keys()], limit, after: null })).jobs,
    job: async (id) => (await superuser.query('select * from millrace.jobs where id = $1', [id])).rows[0],
    clear: async () => {
      await superuser.query('rollback');
      await superuser.query('delete from millrace.jobs');
    },
    close: async () => {
      await superuser.end();
      await notifier.close();
      await db.close();
      await drop();
    },
  };
}

/** The way to a test's database, as a process of Millrace opens it. */
export function openDatabase(url: string, maxConnections = 10): Database {
  return new Database({
    connectionString: url,
    rolePrefix: 'millrace',
    maxConnections,
    applicationName: 'millrace test',
    preparedStatements: true,
    onError: () => undefined,
  });
}

/** A run of 5 ms that began just now. */
export function measured(): { startedAtMs: number; wallMs: number; cpuMs: number } {
  return { startedAtMs: Date.now(), wallMs: 5, cpuMs: 1 };
}

/** Success with a result. */
export function succeeded(result: unknown = null) {
  return {
    kind: 'final',
    settlement: { status: 'succeeded', skippedReason: null, result, artifacts: [] },
  } as const;
}

/** An error as a run leaves it. */
export function jobError(message = 'it broke') {
  return { type: 'Error', message, timestamp: new Date().toISOString(), retryCount: 0 };
}
