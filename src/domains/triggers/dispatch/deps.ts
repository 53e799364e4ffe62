import type { Database } from '../../../db/database.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import type { Logger } from '../../../telemetry/log.ts';
import type { PayloadCheck } from './trigger-job.ts';

/** What turning events and ticks into jobs works with. */
export interface DispatchDeps {
  readonly db: Database;
  readonly queue: Pick<JobsDeps['queue'], 'enqueueCheckedIn'>;
  readonly checkPayload: PayloadCheck;
  readonly log: Logger;
}
