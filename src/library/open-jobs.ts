import { Database } from '../db/database.ts';
import { createNotifier } from '../db/notifier.ts';
import { findLeaseStates, type LeaseStateRow } from '../db/sql/queue/find-lease-states.ts';
import { registeredDomains } from '../domains/registered.ts';
import { pipelinesOf } from '../queue/pipelines.ts';
import { createPostgresQueue } from '../queue/postgres-queue.ts';
import { PostgresProducerQueue } from '../queue/producer-verbs.ts';
import { syncDefinitions } from '../queue/sync-definitions.ts';
import { createLogger } from '../telemetry/log.ts';
import { admissionOf } from './admission.ts';
import { EngineCallQueue } from './call-queue.ts';
import { checkedEnqueue } from './checked-enqueue.ts';
import type { OpenJobs, OpenJobsOptions } from './contract.ts';
import { HeldLeases } from './held-leases.ts';
import { PostgresJobsRepository } from './jobs-repository.ts';

/**
 * Opens the library on a database.
 * @throws whatever the database throws while it is away
 */
export async function openJobs(options: OpenJobsOptions): Promise<OpenJobs> {
  const { databaseUrl, definitions } = options;
  const log = options.log ?? createLogger({ logLevel: 'warn', logFormat: 'json' }, 'jobs');
  const preparedStatements = options.preparedStatements ?? true;
  const db = new Database({
    connectionString: databaseUrl,
    rolePrefix: options.rolePrefix ?? 'millrace',
    maxConnections: options.maxConnections ?? 5,
    applicationName: 'millrace jobs',
    preparedStatements,
    pooler: options.pooler ?? 'none',
    onError: (error) => log.debug({ reason: error.message }, 'database: an idle connection broke'),
  });
  const notifier = createNotifier({
    connectionString: databaseUrl,
    log,
    preparedStatements,
    pooler: options.pooler ?? 'none',
  });
  const closeConnections = async (): Promise<void> => {
    await notifier.close();
    await db.close();
  };
  try {
    // A cancel or a retry through here does to a video what it does through the API.
    const pipelines = pipelinesOf(registeredDomains({ echo: false }));
    const synced = await syncDefinitions(db, definitions);
    const queue = createPostgresQueue(db, notifier, synced, { pipelines });
    const held = new HeldLeases({
      queue,
      definitionIds: [...synced.keys()],
      admit: admissionOf(definitions),
      cancelReasonOf: async ({ jobId, runNo, token }) => {
        const { rows } = await db.asWorker<LeaseStateRow>(findLeaseStates, [[jobId], [runNo], [token]]);
        return rows[0]?.cancel_reason ?? null;
      },
      log,
    });
    const enqueue = checkedEnqueue(new PostgresProducerQueue(db, notifier, { pipelines }));
    return {
      repository: new PostgresJobsRepository(enqueue, held),
      queue: new EngineCallQueue(enqueue, held, definitions),
      claimed: (jobId) => held.claimed(jobId),
      close: async () => {
        await held.close();
        await closeConnections();
      },
    };
  } catch (error) {
    await closeConnections();
    throw error;
  }
}
