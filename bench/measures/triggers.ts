import type { DispatchDeps } from '../../src/domains/triggers/dispatch/deps.ts';
import { dispatchEvents } from '../../src/domains/triggers/dispatch/dispatch-events.ts';
import { runSchedules } from '../../src/domains/triggers/dispatch/run-schedules.ts';
import { PayloadValidator } from '../../src/jobs/payload-validator.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { figureOf } from '../measuring/figure.ts';
import type { Measure } from '../measuring/measure.ts';
import { noop } from '../stage/noop.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const EVENT_GOAL_MS = 150;
const SCHEDULES_GOAL_S = 10;

/** What an event with 1,000 triggers takes, and 100,000 schedules that are due in one minute. */
export const triggers: Measure = {
  name: 'triggers',
  title: 'An event with 1,000 matching triggers to 1,000 jobs; 100,000 schedules due in one minute',
  async run(context) {
    const { effort } = context;
    await using stage = await openStage(context);
    const deps = depsOf(stage);
    const eventMs: number[] = [];
    await stage.client.query(
      `insert into millrace.triggers (tenant_id, definition_id, label, kind, event_pattern, payload_template, dedupe_window_seconds)
       select $1, $2, 'on ' || n, 'event', 'order.paid', '{"n": "{{event.n}}"}', 300 from generate_series(1, 1000) n`,
      [stage.tenantId, stage.definitionIdOf(noop.key)],
    );
    await stage.client.query('analyze millrace.triggers');
    for (let round = -2; round < Math.min(effort.samples, 15); round++) {
      await stage.client.query(
        `insert into millrace.app_events (tenant_id, name, data) values ($1, 'order.paid', jsonb_build_object('n', $2::integer))`,
        [stage.tenantId, round + 2],
      );
      const startMs = performance.now();
      await dispatchEvents(deps);
      if (round >= 0) eventMs.push(performance.now() - startMs);
    }
    const made = await stage.client.query('select count(*)::integer as n from millrace.jobs');
    if (made.rows[0].n !== 1_000 * (eventMs.length + 2))
      throw new Error(`${made.rows[0].n} jobs were made: ${await outcomesOf(stage)}`);
    const schedules = effort.quick ? 2_000 : 100_000;
    const scheduleSeconds: number[] = [];
    for (let round = 0; round < (effort.quick ? 1 : 3); round++) {
      await stage.client.query(
        'delete from millrace.triggers; truncate millrace.trigger_runs; delete from millrace.jobs',
      );
      // Each runs at this minute of today in its own zone, and at one of 24 other hours: hundreds of
      // expressions, all due at one tick.
      await stage.client.query(
        `insert into millrace.triggers (tenant_id, definition_id, label, kind, cron, time_zone, payload_template, next_at, due_at)
         select $1, $2, 's ' || n, 'schedule',
                extract(minute from l.at) || ' ' || extract(hour from l.at) || ',' || n / 4 % 24 || ' * * *', z.name, '{"n": 1}', m.at, m.at
         from generate_series(1, $3::integer) n, date_trunc('minute', clock_timestamp()) m (at),
              lateral (select (array['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])[1 + n % 4]) z (name),
              lateral (select m.at at time zone z.name) l (at)`,
        [stage.tenantId, stage.definitionIdOf(noop.key), schedules],
      );
      await stage.client.query('analyze millrace.triggers');
      const startMs = performance.now();
      let done = 0;
      while (done < schedules) done += await runSchedules(deps);
      scheduleSeconds.push((performance.now() - startMs) / 1_000);
      const jobs = await stage.client.query('select count(*)::integer as n from millrace.jobs');
      if (jobs.rows[0].n < schedules)
        throw new Error(`${jobs.rows[0].n} jobs were made: ${await outcomesOf(stage)}`);
    }
    return [
      figureOf({ name: 'event with 1,000 triggers → 1,000 jobs', unit: 'ms', goal: EVENT_GOAL_MS }, eventMs),
      figureOf(
        {
          name: `${schedules} schedules due in one minute`,
          unit: 's',
          goal: effort.quick ? null : SCHEDULES_GOAL_S,
        },
        scheduleSeconds,
      ),
    ];
  },
};

/** What became of the triggers, for people. */
async function outcomesOf({ client }: Stage): Promise<string> {
  const { rows } = await client.query(
    'select outcome, reason, count(*)::integer as n from millrace.trigger_runs group by 1, 2 order by n desc limit 3',
  );
  return JSON.stringify(rows);
}

function depsOf({ database, queue }: Stage): DispatchDeps {
  const validator = new PayloadValidator();
  return {
    db: database,
    queue,
    checkPayload: (_tenant, definition, payload) => validator.checkText(definition, payload),
    log: createLogger({ logLevel: 'silent', logFormat: 'json' }, 'bench'),
  };
}
