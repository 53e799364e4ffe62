import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '../../src/config/config.ts';
import { signToken } from '../../src/identity/sign-token.ts';
import { CpuMeter } from '../measuring/cpu.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { median, quantile } from '../measuring/statistics.ts';
import { startServer } from '../stage/server.ts';
import { openStage, SECRET } from '../stage/stage.ts';
import { startWorstMember } from '../stage/worst-member.ts';

const GOAL_P99_MS = 250;
const CONNECTIONS = 16;
const PAUSE_MS = 20;
/** Beside the member the first seconds count too: their burst is what hurts. */
const ALONE_SECONDS = 10;
const BESIDE_SECONDS = 40;
const QUICK_SECONDS = 5;
const LARGE_JOBS = 100;

/** What another tenant's smallest query takes, alone and while one member sends the worst of everything. */
export const worstNeighbour: Measure = {
  name: 'worst-neighbour',
  title: `Another tenant's query while one member sends the worst of everything on ${CONNECTIONS} connections`,
  async run(context) {
    const { effort, say } = context;
    await using stage = await openStage(context);
    const { program, graphqlUrl } = await startServer(stage, {});
    const { rows } = await stage.client.query<{ id: string }>(
      `insert into millrace.tenants (slug, name) values ('other', 'Other') returning id`,
    );
    // So that what the member reads is large as well.
    await stage.client.query(
      `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, payload)
       select $1, $2, 'succeeded', now(), jsonb_build_object('message', repeat(md5(n::text), 30000))
       from generate_series(1, ${LARGE_JOBS}) n`,
      [stage.tenantId, stage.definitionIdOf('echo')],
    );
    const tokenOf = (tenantId: string, subject: string) =>
      signToken(loadConfig({ MILLRACE_JWT_SECRET: SECRET }), {
        subject,
        tenantId,
        role: 'member',
        ttlSeconds: 3600,
      });
    const token = await tokenOf(rows[0]?.id ?? '', 'victim');
    const member = await startWorstMember({
      graphqlUrl,
      token: await tokenOf(stage.tenantId, 'member'),
      connections: CONNECTIONS,
    });
    try {
      const seconds = (full: number): number => (effort.quick ? QUICK_SECONDS : full);
      await askFor(2, graphqlUrl, token);
      const alone = await askFor(seconds(ALONE_SECONDS), graphqlUrl, token);
      const cpu = new CpuMeter();
      await cpu.watch('server', program.pid);
      await cpu.watch('postgres', stage.postgresPid);
      await cpu.watch('member', member.pid);
      member.begin();
      const failures: string[] = [];
      const beside = await askFor(seconds(BESIDE_SECONDS), graphqlUrl, token, failures);
      say(`CPU seconds: ${await cpu.describe()}`);
      for (const failure of new Set(failures)) say(`refused: ${failure}`);
      for (const [what, count] of Object.entries(await member.counts()).sort()) say(`${what} × ${count}`);
      const p99 = (samples: readonly number[]): number => quantile(samples, 0.99);
      return [
        figureOf({ name: 'alone, p50', unit: 'ms', goal: null }, alone, median),
        figureOf({ name: 'alone, p99', unit: 'ms', goal: null }, alone, p99),
        figureOf({ name: 'beside the member, p50', unit: 'ms', goal: null }, beside, median),
        figureOf({ name: 'beside the member, p99', unit: 'ms', goal: GOAL_P99_MS }, beside, p99),
        figureOf({ name: 'beside the member, answers refused', unit: '', goal: 0 }, [failures.length]),
        figureOf({ name: 'beside the member, longest', unit: 'ms', goal: null }, beside, (all) =>
          Math.max(...all),
        ),
      ];
    } finally {
      await member.stop();
      await program.interrupt();
    }
  },
};

/**
 * Asks again and again; how long each answer took.
 * @param failures takes other answers than the one that is right
 */
async function askFor(
  seconds: number,
  graphqlUrl: string,
  token: string,
  failures: string[] = [],
): Promise<readonly number[]> {
  const tookMs: number[] = [];
  for (
    const untilMs = performance.now() + seconds * 1_000;
    performance.now() < untilMs;
    await delay(PAUSE_MS)
  ) {
    const askedMs = performance.now();
    const response = await fetch(graphqlUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"query":"{ viewer { name } }"}',
    });
    const answer = await response.text();
    tookMs.push(performance.now() - askedMs);
    if (!/"viewer":\{"name":/.test(answer)) failures.push(`${response.status} ${answer.slice(0, 80)}`);
  }
  return tookMs;
}
