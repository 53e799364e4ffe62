import type { Database } from '../../../db/database.ts';
import type { KnownDefinitions } from '../../../queue/known-definitions.ts';
import type { Logger } from '../../../telemetry/log.ts';
import type { PayloadCheck } from './trigger-job.ts';

/** What turning events and ticks into jobs works with. */
export interface DispatchDeps {
  readonly db: Database;
  readonly definitions: KnownDefinitions;
  readonly checkPayload: PayloadCheck;
  readonly maxPayloadBytes: number;
  readonly log: Logger;
}
