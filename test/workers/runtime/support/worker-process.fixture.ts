import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../../../src/config/config.ts';
import { done } from '../../../../src/core/outcome.ts';
import { createLogger } from '../../../../src/telemetry/log.ts';
import type { Handler } from '../../../../workers/handler.ts';
import { type OpenWorkerOptions, openWorker } from '../../../../workers/open-worker.ts';
import { register } from '../../../../workers/registry.ts';
import { stopOnSignals } from '../../../../workers/stop-on-signals.ts';
import { definitions } from './definitions.ts';

// A worker process for tests: the real composition with handlers that do as their payload says. It says on
// stdout, one JSON object a line, when it is ready and what its handlers see.

/** What the test gives as the only argument. */
export interface FixtureOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly workers: number;
  /** A file for each handler run goes here. */
  readonly witnessDirectory: string;
  readonly options: Partial<Omit<OpenWorkerOptions, 'config' | 'databaseUrl' | 'registrations'>>;
}

export interface FixturePayload {
  /**
   * `quick`: ends at once. `wait`: for `ms`, or until aborted. `block`: the event loop, for `ms`. `deaf`:
   * waits, ignoring its signal. `log`: writes `lines` log lines, reports it, and waits.
   */
  readonly do: 'quick' | 'wait' | 'block' | 'deaf' | 'log';
  readonly ms?: number;
  readonly lines?: number;
  /** Later runs end at once. */
  readonly onlyFirstRun?: boolean;
}

const given = JSON.parse(process.argv[2] ?? '{}') as FixtureOptions;
const config = loadConfig(given.env);

function say(event: string, data: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ event, ...data })}\n`);
}

const handler: Handler<FixturePayload> = async ({ payload, jobId, runNo, signal, log }) => {
  // Synchronously up to where it blocks, so that nothing beside it gets to begin.
  writeFileSync(join(given.witnessDirectory, `${jobId}.${runNo}`), '', { flag: 'wx' });
  if (payload.do !== 'quick') say('started', { jobId, runNo });
  const ms = payload.ms ?? 0;
  for (let line = 1; line <= (payload.lines ?? 0); line++) log.info(`run ${runNo} line ${line}`, { line });
  if (payload.do === 'quick' || (payload.onlyFirstRun === true && runNo > 1)) return done({ runNo });
  if (payload.do === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  else if (payload.do === 'deaf') await sleep(ms);
  else {
    await sleep(ms, undefined, { signal }).catch(() => {
      say('aborted', { jobId, runNo, reason: (signal.reason as Error).name });
      throw signal.reason;
    });
  }
  say('ended', { jobId, runNo });
  return done({ runNo });
};

const databaseUrl = config.databaseUrl ?? '';
const registrations = definitions.map((definition) => register(definition, async () => handler as Handler));
const workers = await Promise.all(
  Array.from({ length: given.workers }, () =>
    openWorker({
      awaits: new AbortController().signal,
      config,
      databaseUrl,
      registrations,
      ...given.options,
    }),
  ),
);
const signals = stopOnSignals(createLogger(config, 'test-worker'));
signals.onSecond(() => workers.forEach((worker) => void worker.stopNow()));
// Most are killed, and then none would leave the next one anything.
flushCompileCache();
say('ready', { workerIds: workers.map((worker) => worker.workerId) });
await signals.first;
await Promise.all(workers.map((worker) => worker.stop()));
say('stopped', {});
process.exit();
