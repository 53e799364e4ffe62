import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { toError } from '../../src/core/errors.ts';
import type { HeartbeatQueue } from '../../src/core/worker-records.ts';
import { backoffMs } from '../../src/db/backoff.ts';
import { createOutageLog } from '../../src/db/outage-log.ts';
import { createLogger, type Logger } from '../../src/telemetry/log.ts';
import { Heartbeat } from './heartbeat.ts';
import type { HeartbeatNews, HeartbeatOrder, HeartbeatSetup } from './heartbeat-messages.ts';

/** The engine as the thread has it, with a connection of its own. */
export interface ThreadQueue extends HeartbeatQueue {
  close(): Promise<void>;
}

/** Looks this often at what is due. */
const TICK_MS = 200;

/**
 * All that a heartbeat thread does: an event loop of its own, so that a handler that blocks the main one
 * keeps its lease. To be called by the thread's entry; returns when the main thread has closed it.
 * @param open opens the engine with what `HeartbeatThread.engine` says
 */
export async function runHeartbeat(open: (engine: unknown, log: Logger) => ThreadQueue): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('a heartbeat runs in a thread of its own');
  const setup = workerData as HeartbeatSetup;
  const log = createLogger(setup.log, 'worker-heartbeat').child({ worker_id: setup.workerId });
  const queue = open(setup.engine, log);
  const report = (news: HeartbeatNews): void => port.postMessage(news);
  const heartbeat = new Heartbeat({ setup, queue, log, report });

  let closing = false;
  port.on('message', (order: HeartbeatOrder) => {
    if (order.kind === 'close') closing = true;
    else heartbeat.obey(order);
  });

  const watching = setInterval(() => heartbeat.watch(), 2 * TICK_MS);
  await beat(heartbeat, log, { isClosing: () => closing, onReady: () => report({ kind: 'ready' }) });
  clearInterval(watching);
  await heartbeat.signOff();
  await queue.close();
  port.close();
}

async function beat(
  heartbeat: Heartbeat,
  log: Logger,
  { isClosing, onReady }: { readonly isClosing: () => boolean; readonly onReady: () => void },
): Promise<void> {
  const outages = createOutageLog(log, 'heartbeat');
  let failures = 0;
  let ready = false;
  while (!isClosing()) {
    try {
      await heartbeat.beat();
      outages.recovered();
      failures = 0;
    } catch (error) {
      failures++;
      outages.failed(toError(error));
    }
    if (!ready) onReady();
    ready = true;
    // After an outage every lease may have ended: come back fast, before anybody takes them.
    await sleep(failures === 0 ? TICK_MS : backoffMs(failures, 1_000));
  }
}
