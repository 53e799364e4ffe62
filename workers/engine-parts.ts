import type { Config } from '../src/config/config.ts';
import type { Database } from '../src/db/database.ts';
import type { Notifier } from '../src/db/notifier.ts';
import type { Logger } from '../src/telemetry/log.ts';
import type { WorkerParts } from './provide.ts';

/** What a worker has for the handlers that Millrace ships, beside what everybody's may ask for. */
export interface EngineParts extends WorkerParts {
  readonly config: Config;
  readonly database: Database;
  readonly notifier: Notifier;
  readonly log: Logger;
}
