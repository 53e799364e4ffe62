import '../styles/triggers.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Zap } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { Events, Triggers } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { Example } from '../parts/example.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { Badge, StatusBadge } from '../parts/status.tsx';
import { When } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import type { ListedTrigger } from './listed-trigger.ts';
import { outcomeInWords } from './outcomes.ts';
import { RunDots } from './run-dots.tsx';
import { SendEventDialog } from './send-event.tsx';
import { TriggerEditor } from './trigger-editor.tsx';

/** How many of the newest events are read. */
const READ_EVENTS = 50;

export function TriggersPage() {
  usePageTitle('Triggers');
  const { tab = 'rules', name, outcome } = useSearch({ from: '/triggers' });
  const navigate = useNavigate({ from: '/triggers' });
  const [shown, setShown] = useState<'send' | 'new' | ListedTrigger | null>(null);
  const isAdmin = useMay('ADMIN');
  const mayWrite = useMay('JOBS_WRITE');
  return (
    <div className="stack">
      <header className="head">
        <h1>Triggers</h1>
        {mayWrite && (
          <button type="button" className="button" onClick={() => setShown('send')}>
            Send an event
          </button>
        )}
        {isAdmin && (
          <button type="button" className="button primary" onClick={() => setShown('new')}>
            <Zap aria-hidden="true" size={16} /> New trigger
          </button>
        )}
      </header>
      <Tabs.Root
        value={tab}
        className="stack"
        onValueChange={(next) =>
          void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })
        }
      >
        <Tabs.List className="tabs" aria-label="Triggers">
          <Tabs.Trigger value="rules">Rules</Tabs.Trigger>
          <Tabs.Trigger value="events">Events</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="rules">
          <Rules onEdit={isAdmin ? setShown : null} />
        </Tabs.Content>
        <Tabs.Content value="events">
          <EventList
            name={name}
            outcome={outcome}
            onChange={(change) =>
              void navigate({ search: (before) => ({ ...before, ...change }), replace: 'name' in change })
            }
          />
        </Tabs.Content>
      </Tabs.Root>
      {shown === 'send' && <SendEventDialog onClose={() => setShown(null)} />}
      {shown !== null && shown !== 'send' && (
        <TriggerEditor trigger={shown === 'new' ? null : shown} onClose={() => setShown(null)} />
      )}
    </div>
  );
}

function Rules({ onEdit }: { readonly onEdit: ((trigger: ListedTrigger) => void) | null }) {
  const { data, error, refetch } = useOperation(
    Triggers,
    { filter: { kind: 'EVENT' } },
    { refreshMs: 5_000 },
  );
  const nodes = data?.triggers?.nodes;
  if (nodes === undefined || nodes.length === 0)
    return (
      <ListStates error={error} onRetry={() => void refetch()} count={nodes?.length}>
        <Empty title="No triggers yet">
          <p>A trigger makes a job of each event of a name, when a condition holds.</p>
          <Example
            mutation={`mutation { createTrigger(input: { label: "Paid orders", eventName: "order.paid", definition: "echo", payloadTemplate: { message: "paid" } }) { __typename } }`}
          />
        </Empty>
      </ListStates>
    );
  return (
    <div className="triggers">
      {nodes.map((trigger) => (
        <article key={trigger.id} className="card trigger">
          <div className="trigger-main">
            <h2>
              {trigger.label} {!trigger.isEnabled && <Badge tone="warn">paused</Badge>}
            </h2>
            <p>
              <code>{trigger.eventName}</code> <span className="muted">makes</span>{' '}
              <Link to="/definitions/$key" params={{ key: trigger.definition.key }} search={{}}>
                {trigger.definition.key}
              </Link>
            </p>
            {trigger.condition !== null && (
              <p className="small muted">
                if <code>{JSON.stringify(trigger.condition)}</code>
              </p>
            )}
          </div>
          <dl className="trigger-facts">
            <dt>Last events</dt>
            <dd>
              <RunDots runs={trigger.runs.nodes} />
            </dd>
          </dl>
          {onEdit !== null && (
            <div className="row trigger-acts">
              <button type="button" className="button small" onClick={() => onEdit(trigger)}>
                Edit and try
              </button>
            </div>
          )}
        </article>
      ))}
    </div>
  );
}

interface EventChoice {
  readonly name: string | undefined;
  /** `jobs`: those that made one; `none`: those that made none. */
  readonly outcome: string | undefined;
}

function EventList({
  name,
  outcome,
  onChange,
}: EventChoice & { readonly onChange: (change: Partial<EventChoice>) => void }) {
  const { data, error, refetch } = useOperation(Events, name === undefined ? {} : { filter: { name } }, {
    refreshMs: 4_000,
  });
  const read = data?.events?.nodes;
  const nodes = read?.filter(
    ({ jobCount }) => outcome === undefined || jobCount > 0 === (outcome === 'jobs'),
  );
  return (
    <section className="card" aria-label="Events">
      <header className="card-head">
        <input
          className="head-find"
          data-find
          aria-label="Name of events"
          placeholder="Name of the events"
          value={name ?? ''}
          onChange={({ target }) => onChange({ name: target.value || undefined })}
        />
        <select
          aria-label="What came of them"
          value={outcome ?? ''}
          onChange={({ target }) => onChange({ outcome: target.value || undefined })}
        >
          <option value="">All</option>
          <option value="jobs">Made a job</option>
          <option value="none">Made none</option>
        </select>
        {read !== undefined && read.length === READ_EVENTS && (
          <span className="muted small">of the newest {READ_EVENTS}</span>
        )}
      </header>
      <ListStates
        error={error}
        onRetry={() => void refetch()}
        count={nodes?.length}
        noneMatches="No event matches"
        filter={{ Name: name, 'What came of them': outcome && (outcome === 'jobs' ? 'a job' : 'no job') }}
        onClear={() => onChange({ name: undefined, outcome: undefined })}
      >
        <Empty title="No events yet">
          <p>An event is a name and its data, from anywhere:</p>
          <Example
            mutation={`mutation { emitEvent(input: { name: "order.paid", data: { order: 1042 } }) { __typename } }`}
          />
        </Empty>
      </ListStates>
      <ul className="events">
        {nodes?.map((event) => (
          <li key={event.id}>
            <p className="row">
              <code className="grow">{event.name}</code>
              <span className="muted small">
                <When at={event.createdAt} /> by {event.createdBy ?? '–'}
              </span>
            </p>
            <details>
              <summary className="small">Data</summary>
              <pre className="code">{JSON.stringify(event.data, null, 2)}</pre>
            </details>
            {event.runs.nodes.length === 0 && (
              <p className="muted small">
                {event.processedAt === null
                  ? 'It waits to be looked at.'
                  : 'No job: no trigger listens to this name.'}
              </p>
            )}
            {event.runs.nodes.map(({ id, trigger, outcome, reason, job }) => (
              <p key={id} className="row small">
                <span>{trigger?.label ?? 'a deleted trigger'}:</span>
                {job === null ? (
                  <span className="muted">
                    no job, {outcomeInWords(outcome)}
                    {reason !== null && ` (${reason})`}
                  </span>
                ) : (
                  <Link to="/jobs/$jobId" params={{ jobId: job.uuid }} search={{}}>
                    <StatusBadge status={job.status} />
                  </Link>
                )}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
