import type { Config } from '../../src/config/config.ts';
import type { Duty } from '../../src/core/duty.ts';
import type { JobQueue } from '../../src/core/queue.ts';
import type { Database } from '../../src/db/database.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import { clipsDuty } from '../../src/domains/clips/duties/expired-clips.ts';
import { searchDuty } from '../../src/domains/search/duties/search-backlog.ts';
import { scanOriginals } from '../../src/domains/videos/definitions/scan-originals.ts';
import { deletedMediaDuty } from '../../src/domains/videos/duties/deleted-media.ts';
import { uploadsDuty } from '../../src/domains/videos/duties/expired-uploads.ts';
import { janitorDuty } from '../../src/domains/videos/duties/janitor.ts';
import { scanDuty } from '../../src/domains/videos/duties/scan.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import type { PartialStore } from '../../src/storage/partial-store.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import type { Registry } from '../registry.ts';
import { pipelineLogsDuty } from './pipeline-logs.ts';

export interface OwnDutiesDeps {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly notifier: Notifier;
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
