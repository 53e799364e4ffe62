import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuSecondsOf } from '../measuring/cpu.ts';
import { figureOf, rounded } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { startShippedWorker } from '../stage/server.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const CALLS = 1_000;
const GOAL_PERCENT = 1;
/** Of all samples, how many may see a slot taken: a look takes some milliseconds, and waiting takes none. */
const GOAL_BUSY_PERCENT = 2;
const SETTLE_MS = 15_000;
const IDLE_MS = 30_000;
/** The period of the quota of checks: how many there are does not depend on when it begins. */
const WINDOW_MS = 288_000;
const SAMPLE_MS = 250;

/**
 * What calls cost that wait at a speech provider for hours: of a worker and Postgres, and of the worker's
 * slots.
 */
export const callsWaiting: Measure = {
  name: 'calls-waiting',
  title: `${CALLS} calls that wait at a speech provider: CPU of a worker and Postgres beyond that of an idle worker; slots taken`,
  async run(context) {
    const { effort, say } = context;
    let looks = 0;
    const provider = createServer((_request, response) => {
      looks++;
      response.setHeader('content-type', 'application/json').end('{"id":"op","done":false}');
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    await using stopping = new AsyncDisposableStack();
    stopping.defer(() => void provider.close());
    const stage = stopping.use(await openStage(context));
    const worker = await startShippedWorker(stage, {
      MILLRACE_SPEECH_PROVIDER: 'speechkit',
      SPEECHKIT_API_KEY: 'bench',
      SPEECHKIT_URL: url,
      SPEECHKIT_OPERATION_URL: url,
      MILLRACE_LOG_LEVEL: 'info',
    });
    stopping.defer(() => worker.kill());
    const used = async (): Promise<number> =>
      ((await cpuSecondsOf(worker.pid)) ?? Number.NaN) +
      ((await cpuSecondsOf(stage.postgresPid)) ?? Number.NaN);
    const percentOver = async (ms: number, meanwhile: () => Promise<void>): Promise<number> => {
      const [before, beganMs] = [await used(), performance.now()];
      const endMs = beganMs + ms;
      while (performance.now() < endMs) {
        await meanwhile();
        await delay(Math.min(SAMPLE_MS, Math.max(0, endMs - performance.now())));
      }
      return (((await used()) - before) / ((performance.now() - beganMs) / 1000)) * 100;
    };
    await delay(effort.quick ? 2_000 : SETTLE_MS);
    const idle = await percentOver(effort.quick ? 3_000 : IDLE_MS, async () => undefined);
    say(`idle: ${rounded(idle)} % of a core`);
    await addWaitingCalls(stage, effort.quick ? 50 : CALLS);
    await delay(effort.quick ? 1_000 : SETTLE_MS);
    const before = looks;
    const busy: number[] = [];
    const waiting = await percentOver(effort.quick ? 5_000 : WINDOW_MS, async () => {
      const { rows } = await stage.client.query<{ count: number }>(
        `select count(*)::int as count from millrace.jobs where status = 'running'`,
      );
      busy.push(rows[0]?.count === 0 ? 0 : 100);
    });
    const { rows } = await stage.client.query<{ waiting: number; attempts: number }>(
      `select count(*) filter (where status in ('queued', 'running'))::int as waiting, max(attempt_count) as attempts from millrace.jobs`,
    );
    say(`waiting: ${rounded(waiting)} % of a core, ${looks - before} looks; ${JSON.stringify(rows[0])}`);
    const share = busy.reduce((sum, each) => sum + each, 0) / busy.length;
    return [
      figureOf({ name: `${CALLS} waiting calls, of a core`, unit: '%', goal: GOAL_PERCENT }, [
        Math.max(0, waiting - idle),
      ]),
      figureOf({ name: 'time with a slot taken', unit: '%', goal: GOAL_BUSY_PERCENT }, [share]),
    ];
  },
};

/** Calls whose operations are under way, each with the job that asks for its transcript. */
async function addWaitingCalls({ client, tenantId, definitionIdOf }: Stage, count: number): Promise<void> {
  await client.query(
    `with made as (
       insert into millrace.calls (tenant_id, title, status, recording_key, duration_ms, channel_count, is_silent)
       select $1, 'Call ' || n, 'transcribing', 'call-inbox/' || n, 60000, 1, false from generate_series(1, $3::int) n
       returning id
     )
     insert into millrace.jobs (tenant_id, definition_id, subject_type, subject_id, payload)
     select $1, $2, 'call', id::text, jsonb_build_object('call_id', id, 'operationId', 'op', 'provider', 'speechkit',
       'started_at_ms', (extract(epoch from now()) * 1000)::bigint - 3600000, 'audio_path', 'calls/' || id || '/audio.flac',
       'channels', 1, 'duration_ms', 60000)
     from made`,
    [tenantId, definitionIdOf('transcribe_poll'), count],
  );
  await client.query('vacuum analyze');
}
