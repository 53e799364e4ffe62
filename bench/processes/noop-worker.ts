import { loadConfig } from '../../src/config/config.ts';
import { done } from '../../src/core/outcome.ts';
import { openWorker } from '../../workers/open-worker.ts';
import { register } from '../../workers/registry.ts';
import { trimHeapWhenIdle } from '../../workers/runtime/trim-heap.ts';
import { boundYoungGeneration } from '../../workers/runtime/young-generation.ts';
import { machineMs } from '../measuring/clock.ts';
import { type NoopCall, type NoopNews, type NoopOrder, noop } from '../stage/noop.ts';

// The real worker with one definition that does nothing, in a process of its own.

const REPORT_MS = 20;
const LINE = 'x'.repeat(1_000);

// As `workers/main.ts` does.
boundYoungGeneration();
const config = loadConfig();
let calls: NoopCall[] = [];
let reported = 0;
const say = (news: NoopNews): void => void process.send?.(news);

const worker = await openWorker({
  config,
  databaseUrl: config.databaseUrl ?? '',
  registrations: [
    register(noop, async () => async (context) => {
      const { n = 0, lines = 0 } = context.payload;
      calls.push([n, machineMs()]);
      for (let line = 0; line < lines; line++) context.log.info(LINE);
      if (lines > 0) context.log.info('end');
      return done(null);
    }),
  ],
});
trimHeapWhenIdle(worker);
// On a clock, and not at each call: a message costs as much as half a job.
const reporting = setInterval(() => {
  if (calls.length !== reported) say({ kind: 'count', count: calls.length });
  reported = calls.length;
}, REPORT_MS);

process.on('message', async (order: NoopOrder) => {
  if (order.kind === 'take') {
    say({ kind: 'calls', calls });
    calls = [];
    reported = 0;
    return;
  }
  clearInterval(reporting);
  await worker.stop(0);
  process.disconnect();
});
// Also when the benchmark was killed: nothing may go on claiming.
process.on('disconnect', () => process.exit());
say({ kind: 'ready' });
