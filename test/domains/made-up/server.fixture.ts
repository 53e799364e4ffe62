import { loadConfig } from '../../../src/config/config.ts';
import { registeredDomains } from '../../../src/domains/registered.ts';
import { openServer } from '../../../src/open-server.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { stopOnSignals } from '../../../workers/stop-on-signals.ts';
import { parcels } from './parcels.ts';

// A server process as src/server.ts makes one, with one domain more.

const config = loadConfig();
const log = createLogger(config, 'server');
const signals = stopOnSignals(log);
const domains = [...registeredDomains(config), parcels];
const server = await openServer({
  awaits: new AbortController().signal,
  config,
  databaseUrl: config.databaseUrl ?? '',
  log,
  domains,
});
await signals.first;
await server.stop();
process.exit();
