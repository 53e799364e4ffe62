import '../styles/triggers.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarPlus, Pause, Pencil, Play, Zap } from 'lucide-react';
import { useMillrace } from '../../src/react/index.ts';
import { RunScheduleNow, Triggers, UpdateTrigger } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { useOperation } from '../api/use-operation.ts';
import { useKeys } from '../frame/keys.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { Example } from '../parts/example.tsx';
import { FindField } from '../parts/find-field.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { toast } from '../parts/toasts.tsx';
import { At, When, WithTimes } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import type { ListedTrigger } from './listed-trigger.ts';
import { NextRuns } from './next-runs.tsx';
import { RunDots } from './run-dots.tsx';
import { ScheduleEditor } from './schedule-editor.tsx';

export function SchedulesPage() {
  usePageTitle('Schedules');
  const { edit, q = '', enabled } = useSearch({ from: '/schedules' });
  const navigate = useNavigate({ from: '/schedules' });
  const { data, error, refetch } = useOperation(
    Triggers,
    { filter: { kind: 'SCHEDULE', ...(enabled !== undefined && { isEnabled: enabled === 'yes' }) } },
    { refreshMs: 5_000 },
  );
  const isAdmin = useMay('ADMIN');
  const open = (id: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, edit: id }) });
  useKeys(isAdmin ? { n: () => open('new') } : {});
  const all = data?.triggers?.nodes;
  const nodes = all?.filter(({ label, definition }) =>
    `${label} ${definition.key}`.toLowerCase().includes(q.toLowerCase()),
  );
  return (
    <div className="stack">
      <header className="head">
        <h1>Schedules</h1>
        <FindField
          label="Find a schedule"
          value={q}
          onFind={(text) => void navigate({ search: (before) => ({ ...before, q: text }), replace: true })}
        />
        <select
          aria-label="Which schedules"
          value={enabled ?? ''}
          onChange={({ target }) =>
            void navigate({ search: (before) => ({ ...before, enabled: target.value as 'yes' }) })
          }
        >
          <option value="">All</option>
          <option value="yes">Active</option>
          <option value="no">Paused</option>
        </select>
        {isAdmin && (
          <button type="button" className="button primary" onClick={() => open('new')}>
            <CalendarPlus aria-hidden="true" size={16} /> New schedule
          </button>
        )}
      </header>
      <ListStates
        error={error}
        onRetry={() => void refetch()}
        count={nodes?.length}
        noneMatches="No schedule matches"
        filter={{ Find: q, State: enabled && (enabled === 'yes' ? 'active' : 'paused') }}
        onClear={() => void navigate({ search: {} })}
      >
        <Empty title="No schedules yet">
          <p>A schedule makes a job by cron, at equal distances, or once, in any time zone.</p>
          <Example
            mutation={`mutation { createTrigger(input: { label: "Every morning", cron: "0 9 * * *", definition: "echo", payloadTemplate: { message: "good morning" } }) { __typename } }`}
          />
        </Empty>
      </ListStates>
      <div className="triggers">
        {nodes?.map((trigger) => (
          <Schedule key={trigger.id} trigger={trigger} onEdit={isAdmin ? () => open(trigger.id) : null} />
        ))}
      </div>
      {edit !== undefined && (edit === 'new' || all !== undefined) && (
        <ScheduleEditor
          key={edit}
          trigger={all?.find(({ id }) => id === edit) ?? null}
          onClose={() => open(undefined)}
        />
      )}
    </div>
  );
}

const MISSED = {
  RUN_ONCE: 'run once for all of them',
  SKIP: 'are left out',
  BACKFILL: 'are made up for',
} as const satisfies Record<ListedTrigger['missedRuns'], string>;

function Schedule({
  trigger,
  onEdit,
}: {
  readonly trigger: ListedTrigger;
  readonly onEdit: (() => void) | null;
}) {
  const client = useMillrace();
  const navigate = useNavigate();
  const { id, label, isEnabled, scheduleInWords, cron, timeZone, nextRunAt, definition, runs } = trigger;
  const toggle = useAct(
    async () =>
      done((await run(client, UpdateTrigger, { input: { id, isEnabled: !isEnabled } })).updateTrigger),
    { says: isEnabled ? 'It makes no more jobs' : 'It makes jobs again' },
  );
  const runNow = useAct(
    async () => done((await run(client, RunScheduleNow, { input: { id } })).runScheduleNow),
    {
      says: 'A job of it is enqueued',
      onDone: ({ job }) => {
        if (job !== null) void navigate({ to: '/jobs/$jobId', params: { jobId: job.uuid }, search: {} });
      },
    },
  );
  const failed = toggle.error ?? runNow.error;
  if (failed !== null) toast(failed instanceof Error ? failed.message : String(failed), true);
  return (
    <article className="card trigger">
      <div className="trigger-main">
        <h2>
          {label} {!isEnabled && <Badge tone="warn">paused</Badge>}
          {isEnabled && nextRunAt === null && <Badge>does not run any more</Badge>}
        </h2>
        <p>
          <WithTimes text={scheduleInWords ?? ''} />{' '}
          <span className="muted small">
            {cron !== null && <code>{cron}</code>} in {timeZone}
          </span>
        </p>
        <p className="muted small">
          makes{' '}
          <Link to="/definitions/$key" params={{ key: definition.key }} search={{}}>
            {definition.key}
          </Link>
        </p>
      </div>
      <dl className="trigger-facts">
        <dt>Next run</dt>
        <dd>
          {nextRunAt === null ? (
            '–'
          ) : (
            <>
              <When at={nextRunAt} />{' '}
              <span className="muted small">
                <At at={nextRunAt} />
              </span>
              <NextRuns trigger={trigger} />
            </>
          )}
        </dd>
        <dt>Missed runs</dt>
        <dd>{MISSED[trigger.missedRuns]}</dd>
        <dt>Last runs</dt>
        <dd>
          <RunDots runs={runs.nodes} />
        </dd>
      </dl>
      {onEdit !== null && (
        <div className="row trigger-acts">
          <button
            type="button"
            className="button small"
            disabled={runNow.isPending}
            onClick={() => runNow.mutate(undefined)}
          >
            <Zap aria-hidden="true" size={14} /> Run now
          </button>
          <button
            type="button"
            className="button small"
            disabled={toggle.isPending}
            onClick={() => toggle.mutate(undefined)}
          >
            {isEnabled ? <Pause aria-hidden="true" size={14} /> : <Play aria-hidden="true" size={14} />}
            {isEnabled ? 'Pause' : 'Resume'}
          </button>
          <button type="button" className="button small" onClick={onEdit}>
            <Pencil aria-hidden="true" size={14} /> Edit
          </button>
        </div>
      )}
    </article>
  );
}
