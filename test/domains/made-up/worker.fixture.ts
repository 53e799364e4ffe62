import { loadConfig } from '../../../src/config/config.ts';
import { registeredDomains } from '../../../src/domains/registered.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { openWorker } from '../../../workers/open-worker.ts';
import { allRegistrations } from '../../../workers/registrations.ts';
import { stopOnSignals } from '../../../workers/stop-on-signals.ts';
import { parcelRegistrations } from './parcel-handlers.ts';
import { parcels } from './parcels.ts';

// A worker process as workers/main.ts makes one, with one domain more.

const config = loadConfig();
const signals = stopOnSignals(createLogger(config, 'worker'));
const worker = await openWorker({
  awaits: new AbortController().signal,
  config,
  databaseUrl: config.databaseUrl ?? '',
  domains: [...registeredDomains(config), parcels],
  registrations: [...(await allRegistrations(config)), ...parcelRegistrations],
});
signals.onSecond(() => void worker.stopNow());
await signals.first;
await worker.stop();
process.exit();
