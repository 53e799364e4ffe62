import type { Config } from '../../src/config/config.ts';
import { scanOriginals } from '../../src/core/definitions/scan-originals.ts';
import type { JobQueue } from '../../src/core/queue.ts';
import type { Bell } from '../../src/db/bell.ts';
import type { Database } from '../../src/db/database.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import type { PartialStore } from '../../src/storage/partial-store.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { Registry } from '../registry.ts';
import { clipsDuty } from './clips.ts';
import { deletedMediaDuty } from './deleted-media.ts';
import type { Duty } from './duty.ts';
import { janitorDuty } from './janitor.ts';
import { pipelineLogsDuty } from './pipeline-logs.ts';
import { scanDuty } from './scan.ts';
import { searchDuty } from './search.ts';
import { uploadsDuty } from './uploads.ts';

export interface OwnDutiesDeps {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly bell: Bell;
  readonly storage: ObjectStore;
  readonly partials: PartialStore;
  readonly log: Logger;
}

/** What the leader does for the pipelines, as far as the configuration wants it and this worker knows the job. */
export function ownDuties(config: Config, registry: Registry, deps: OwnDutiesDeps): readonly Duty[] {
  const duties = [
    clipsDuty(deps),
    deletedMediaDuty(deps),
    pipelineLogsDuty(deps),
    searchDuty(deps.database),
    uploadsDuty(deps),
  ];
  if (config.scanSeconds > 0 && registry.definition(scanOriginals.key) !== undefined)
    duties.push(scanDuty(deps.queue, config.scanSeconds * 1_000));
  if (config.janitorHours > 0)
    duties.push(janitorDuty({ ...deps, graceMs: config.janitorHours * 3_600_000 }));
  return duties;
}
