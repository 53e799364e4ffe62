import { loadConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { openWorker } from '../../workers/open-worker.ts';
import { allRegistrations } from '../../workers/registrations.ts';
import { register } from '../../workers/registry.ts';
import { stopOnSignals } from '../../workers/stop-on-signals.ts';

// A worker process as workers/main.ts makes one, but for its leases: a test that waits for the end of one
// need not wait for long.

const config = loadConfig();
const leaseSeconds = Number(process.argv[2]);
const registrations = (await allRegistrations(config)).map(({ definition, load, provide }) =>
  register({ ...definition, leaseSeconds }, load, provide),
);
const signals = stopOnSignals(createLogger(config, 'worker'));
const worker = await openWorker({
  awaits: new AbortController().signal,
  config,
  databaseUrl: config.databaseUrl ?? '',
  registrations,
});
signals.onSecond(() => void worker.stopNow());
await signals.first;
await worker.stop();
process.exit();
