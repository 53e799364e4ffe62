import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { toError } from '../../src/core/errors.ts';
import { backoffMs } from '../../src/db/backoff.ts';
import { Database } from '../../src/db/database.ts';
import { createOutageLog } from '../../src/db/outage-log.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { Heartbeat } from './heartbeat.ts';
import type { HeartbeatNews, HeartbeatOrder, HeartbeatSetup } from './heartbeat-messages.ts';

// The entry of the heartbeat thread: an event loop of its own, so that a handler that blocks the main one keeps its lease.

const port = parentPort;
if (port === null) throw new Error('heartbeat-thread.ts is started as a worker thread');
const setup = workerData as HeartbeatSetup;
const log = createLogger(setup.log, 'worker-heartbeat').child({ worker_id: setup.workerId });
const outages = createOutageLog(log, 'heartbeat');
const database = new Database({
  ...setup.database,
  // Its own, whatever else takes connections: that of its statements stays open.
  maxConnections: 1,
  applicationName: 'millrace heartbeat',
  onError: (error) => log.debug({ reason: error.message }, 'heartbeat: an idle connection broke'),
});
const report = (news: HeartbeatNews): void => port.postMessage(news);
const heartbeat = new Heartbeat({
  setup,
  database,
  log,
  report,
});

/** Looks this often at what is due. */
const TICK_MS = 200;

let closing = false;
port.on('message', (order: HeartbeatOrder) => {
  if (order.kind === 'close') closing = true;
  else heartbeat.obey(order);
});

const watching = setInterval(() => heartbeat.watch(), 2 * TICK_MS);
let failures = 0;
let ready = false;
while (!closing) {
  try {
    await heartbeat.beat();
    outages.recovered();
    failures = 0;
  } catch (error) {
    failures++;
    outages.failed(toError(error));
  }
  if (!ready) report({ kind: 'ready' });
  ready = true;
  // After an outage every lease may have ended: come back fast, before anybody takes them.
  await sleep(failures === 0 ? TICK_MS : backoffMs(failures, 1_000));
}
clearInterval(watching);
await heartbeat.signOff();
await database.close();
port.close();
