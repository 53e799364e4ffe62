import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config/config.ts';
import { DomainError } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { hold } from '../../src/db/hold-lease.ts';
import { registeredDomains } from '../../src/domains/registered.ts';
import type { OpenJobs, QueueJob } from '../../src/library/index.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';
import { PostgresProducerQueue } from '../../src/queue/producer-verbs.ts';
import { PostgresRunRecords } from '../../src/queue/run-records.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { openConnections } from '../../workers/connections.ts';
import type { EngineParts } from '../../workers/engine-parts.ts';
import { registrations as callRegistrations } from '../../workers/handlers/calls/registration.ts';
import { createOwnOf } from '../../workers/provide.ts';
import { createRegistry } from '../../workers/registry.ts';
import { createToolsFor } from '../../workers/runtime/run-tools.ts';
import { createArtifactLookup } from '../../workers/stores/artifact-lookup.ts';
import { mediaTools } from '../../workers/tools/find-tools.ts';

/** The stages of calls, for a loop of one's own. */
export interface CallStages {
  /**
   * Runs `extract_audio`, `transcribe_start`, `transcribe_poll` or `analyze` of a job that the loop has
   * claimed.
   */
  runStage(job: QueueJob): Promise<Outcome>;
  close(): Promise<void>;
}

/** Opens what the stages work with: the store, ffmpeg, the speech provider, the rows of calls. */
export async function openCallStages(
  config: Config,
  databaseUrl: string,
  jobs: OpenJobs,
): Promise<CallStages> {
  const log = createLogger(config, 'calls');
  const connections = openConnections(config, databaseUrl, log);
  const { database, notifier } = connections;
  const { store: storage, partials } = await openStorage(config);
  const media = await mediaTools(config, log);
  const registrations = callRegistrations(config);
  const registry = createRegistry(
    registrations.map(({ definition }) => definition),
    registrations,
  );
  const queue = new PostgresProducerQueue(database, notifier, {
    pipelines: pipelinesOf(registeredDomains({ echo: false })),
  });
  const parts: EngineParts = { config, database, queue, storage, log, media, ocr: null };
  const ownOf = createOwnOf(registrations, parts);
  const records = new PostgresRunRecords(database);
  const toolsFor = createToolsFor({ storage, temporaryDirectory: join(tmpdir(), 'millrace-calls') });
  return {
    runStage: async ({ id, stage, payload }) => {
      const claimed = jobs.claimed(id);
      if (claimed === null) throw new DomainError('NotOwner', `Job ${id} is not claimed by this process.`);
      const { job, lease } = claimed;
      const run = toolsFor();
      const handler = await registry.load(stage);
      try {
        return await handler({
          ...{ jobId: id, tenantId: job.tenantId, definitionKey: stage, payload, subject: job.subject },
          ...{ runNo: job.runNo, attemptCount: job.attemptCount, signal: new AbortController().signal },
          log: log.child({ job_id: id }) as never,
          tools: run.tools,
          artifacts: createArtifactLookup(records, job),
          own: ownOf(stage, claimed),
          progress: () => undefined,
          noteAttempt: () => undefined,
          fence: () =>
            database.transaction({ role: 'api', tenantId: job.tenantId }, (tx) =>
              hold(tx, job.tenantId, lease),
            ),
        });
      } finally {
        await run.release();
      }
    },
    close: async () => {
      storage.close?.();
      partials.close?.();
      await connections.close();
    },
  };
}
