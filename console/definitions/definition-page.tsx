import '../styles/forms.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Pause, Play } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { Definition, PauseDefinition, ResumeDefinition } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { Confirm } from '../parts/confirm.tsx';
import { JsonView } from '../parts/json-view.tsx';
import { NoPage } from '../parts/no-page.tsx';
import { At } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import { DefinitionState } from './definitions-page.tsx';
import { EnqueueForm } from './enqueue-form.tsx';
import { StatisticsTab } from './statistics-tab.tsx';

export function DefinitionPage() {
  const { key } = useParams({ from: '/definitions/$key' });
  const { tab, copy } = useSearch({ from: '/definitions/$key' });
  const navigate = useNavigate({ from: '/definitions/$key' });
  usePageTitle(key);
  const { data, error, refetch } = useOperation(Definition, { key });
  const mayWrite = useMay('JOBS_WRITE');
  const definition = data?.jobDefinition;
  if (definition == null)
    return (
      <NoPage
        title="Definition"
        isGone={definition === null}
        error={error}
        onRetry={() => void refetch()}
        list="/definitions"
      >
        <p>None has the key {key}: it was deleted, or is written otherwise.</p>
      </NoPage>
    );
  const shown = tab ?? (mayWrite ? 'enqueue' : 'settings');
  const limit = definition.rateLimit;
  return (
    <div className="stack">
      <header className="head">
        <h1>
          {key} <DefinitionState {...definition} />
        </h1>
        <Link className="button" to="/jobs" search={{ definition: key }}>
          Its jobs
        </Link>
        <PauseButton definition={definition} />
      </header>
      <p className="muted">{definition.description}</p>
      <Tabs.Root
        value={shown}
        className="stack"
        onValueChange={(next) =>
          void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })
        }
      >
        <Tabs.List className="tabs" aria-label="Of this definition">
          {mayWrite && <Tabs.Trigger value="enqueue">Enqueue</Tabs.Trigger>}
          <Tabs.Trigger value="statistics">Statistics</Tabs.Trigger>
          <Tabs.Trigger value="settings">Settings</Tabs.Trigger>
          <Tabs.Trigger value="schema">Schema</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="enqueue">
          <EnqueueForm definition={key} schema={definition.payloadSchema} copyOf={copy} />
        </Tabs.Content>
        <Tabs.Content value="statistics">
          <StatisticsTab definition={key} />
        </Tabs.Content>
        <Tabs.Content value="settings">
          <section className="card">
            <dl className="facts card-body">
              <dt>Runs at once</dt>
              <dd>{definition.maxRunning ?? 'unlimited'}</dd>
              <dt>of one tenant</dt>
              <dd>{definition.maxRunningPerTenant ?? 'unlimited'}</dd>
              <dt>Rate</dt>
              <dd>{limit === null ? 'unlimited' : `${limit.count} in ${limit.periodSeconds} s`}</dd>
              <dt>Time limit</dt>
              <dd>{definition.timeoutSeconds} s</dd>
              <dt>Attempts</dt>
              <dd>{definition.maxAttempts}</dd>
              <dt>Lease</dt>
              <dd>{definition.leaseSeconds} s</dd>
              <dt>Kept after the end</dt>
              <dd>
                {definition.retentionSeconds === null
                  ? 'as the tenant says'
                  : `${definition.retentionSeconds} s`}
              </dd>
              <dt>Retries</dt>
              <dd>
                <code>{JSON.stringify(definition.retryPolicy)}</code>
              </dd>
              <dt>Changed</dt>
              <dd>
                <At at={definition.updatedAt} />
              </dd>
            </dl>
          </section>
        </Tabs.Content>
        <Tabs.Content value="schema">
          <JsonView json={JSON.stringify(definition.payloadSchema)} name="Payload schema" />
        </Tabs.Content>
      </Tabs.Root>
    </div>
  );
}

function PauseButton({
  definition,
}: {
  readonly definition: { readonly key: string; readonly isPaused: boolean };
}) {
  const client = useMillrace();
  const isAdmin = useMay('ADMIN');
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const { key, isPaused } = definition;
  const input = { definition: key, ...(reason !== '' && { reason }) };
  const act = useAct(
    async () =>
      isPaused
        ? done((await run(client, ResumeDefinition, { input })).resumeJobDefinition)
        : done((await run(client, PauseDefinition, { input })).pauseJobDefinition),
    { says: isPaused ? 'Its jobs run again' : 'No more of its jobs begin', onDone: () => setAsking(false) },
  );
  if (!isAdmin) return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setAsking(true)}>
        {isPaused ? <Play aria-hidden="true" size={15} /> : <Pause aria-hidden="true" size={15} />}
        {isPaused ? 'Resume' : 'Pause'}
      </button>
      {isAsking && (
        <Confirm
          title={`${isPaused ? 'Resume' : 'Pause'} ${key}?`}
          verb={`${isPaused ? 'Resume' : 'Pause'} ${key}`}
          isDangerous={!isPaused}
          isPending={act.isPending}
          error={act.error}
          onConfirm={() => act.mutate(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>
            {isPaused
              ? 'Queued jobs of it begin again, in their order.'
              : 'No more jobs of it begin, of any tenant that this reaches; those that run go on, and new ones wait.'}
          </p>
          <label className="field">
            Reason
            <input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
          </label>
        </Confirm>
      )}
    </>
  );
}
