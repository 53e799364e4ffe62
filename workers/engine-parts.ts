import type { Config } from '../src/config/config.ts';
import type { ProducerQueue } from '../src/core/producer-queue.ts';
import type { Database, Transaction } from '../src/db/database.ts';
import type { DefinitionRow } from '../src/db/sql/queue/find-definitions.ts';
import type { Logger } from '../src/telemetry/log.ts';
import type { WorkerParts } from './provide.ts';

/** What a worker has for the handlers that Millrace ships, beside what everybody's may ask for. */
export interface EngineParts extends WorkerParts {
  readonly config: Config;
  readonly database: Database;
  readonly queue: ProducerQueue<DefinitionRow, Transaction>;
  readonly log: Logger;
}
