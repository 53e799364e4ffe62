import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CircleX, Cpu, PauseCircle, Plus } from 'lucide-react';
import { useJobSummary } from '../../src/react/index.ts';
import { Definitions, Statistics } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { Example } from '../parts/example.tsx';
import { FindField } from '../parts/find-field.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { When } from '../parts/when.tsx';
import { useMay } from '../session/viewer.ts';
import { timeOf } from './statistics-tab.tsx';

/** The kinds of jobs: those that fail now first. */
export function DefinitionsPage() {
  usePageTitle('Definitions');
  const { q = '' } = useSearch({ from: '/definitions' });
  const navigate = useNavigate({ from: '/definitions' });
  const { data, error, refetch } = useOperation(Definitions, {}, { refreshMs: 15_000 });
  const { summary } = useJobSummary();
  const statistics = useOperation(Statistics, {}, { refreshMs: 15_000 }).data?.jobStatistics?.definitions;
  const timesOf = new Map(statistics?.map((each) => [each.definitionKey, each]));
  const mayWrite = useMay('JOBS_WRITE');
  const counts = new Map(summary?.definitions.map((each) => [each.definitionKey, each.counts]));
  const oldestOf = new Map(summary?.definitions.map((each) => [each.definitionKey, each.oldestQueuedAt]));
  const failing = (key: string): number =>
    (counts.get(key)?.failed ?? 0) + (counts.get(key)?.deadLetter ?? 0);
  const rows = (data?.jobDefinitions?.nodes ?? [])
    .filter(({ key, description }) => `${key} ${description}`.toLowerCase().includes(q.toLowerCase()))
    .toSorted((a, b) => failing(b.key) - failing(a.key) || (a.key < b.key ? -1 : 1));
  return (
    <div className="stack">
      <header className="head">
        <h1>Definitions</h1>
        <FindField
          label="Find a definition"
          value={q}
          onFind={(text) => void navigate({ search: { q: text }, replace: true })}
        />
      </header>
      <ListStates
        error={error}
        onRetry={() => void refetch()}
        count={data === undefined ? undefined : rows.length}
        noneMatches="No definition matches"
        filter={{ Find: q }}
        onClear={() => void navigate({ search: {} })}
      >
        <Empty title="No definitions yet">
          <p>A definition says how jobs of a kind run. Workers bring those of their handlers, or:</p>
          <Example
            mutation={`mutation { createJobDefinition(input: { key: "send-report", maxAttempts: 5 }) { __typename } }`}
          />
        </Empty>
      </ListStates>
      {rows.length > 0 && (
        <div className="card table-scroll">
          <table className="table stacked paired">
            <thead>
              <tr>
                <th>Definition</th>
                <th>State</th>
                <th className="end">Queued</th>
                <th className="end">Running</th>
                <th className="end">Failing</th>
                <th className="end">Succeeded</th>
                <th className="end">Waits, p95</th>
                <th className="end">Runs, p50 and p95</th>
                <th>
                  <span className="visually-hidden">Acts</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((each) => {
                const of = counts.get(each.key);
                const took = timesOf.get(each.key);
                return (
                  <tr key={each.id}>
                    <td className="which-definition">
                      <Link to="/definitions/$key" params={{ key: each.key }} search={{}}>
                        <strong>{each.key}</strong>
                      </Link>
                      <p className="muted small">{each.description}</p>
                    </td>
                    <td>
                      <DefinitionState {...each} />
                    </td>
                    <td className="end" data-title="Queued">
                      {of?.queued ?? 0}
                      {oldestOf.get(each.key) != null && (
                        <p className="muted small one-line">
                          oldest <When at={oldestOf.get(each.key) ?? null} />
                        </p>
                      )}
                    </td>
                    <td className="end" data-title="Running">
                      {of?.running ?? 0}
                    </td>
                    <td className="end" data-title="Failing">
                      {failing(each.key) === 0 ? (
                        0
                      ) : (
                        <Link
                          className="failing"
                          to="/jobs"
                          search={{ definition: each.key, status: 'FAILED,DEAD_LETTER' }}
                        >
                          <CircleX aria-hidden="true" size={13} /> {failing(each.key)}
                        </Link>
                      )}
                    </td>
                    <td className="end" data-title="Succeeded">
                      {of?.succeeded ?? 0}
                    </td>
                    <td className="end num" data-title="Wait, p95">
                      {timeOf(took?.p95WaitMs)}
                    </td>
                    <td className="end num" data-title="Run times">
                      {took?.medianRunMs == null
                        ? '–'
                        : `${timeOf(took.medianRunMs)}, ${timeOf(took.p95RunMs)}`}
                    </td>
                    <td className="end">
                      {mayWrite && each.isActive && (
                        <Link
                          className="button small"
                          to="/definitions/$key"
                          params={{ key: each.key }}
                          search={{ tab: 'enqueue' }}
                          aria-label={`Enqueue ${each.key}`}
                        >
                          <Plus aria-hidden="true" size={14} /> Enqueue
                        </Link>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

export function DefinitionState({
  isActive,
  isPaused,
  workerCount,
}: {
  readonly isActive: boolean;
  readonly isPaused: boolean;
  readonly workerCount: number;
}) {
  if (!isActive) return <Badge>inactive</Badge>;
  if (isPaused)
    return (
      <Badge tone="warn">
        <PauseCircle aria-hidden="true" size={13} /> paused
      </Badge>
    );
  if (workerCount === 0) return <Badge tone="bad">no worker</Badge>;
  return (
    <Badge tone="ok">
      <Cpu aria-hidden="true" size={13} /> {workerCount} {workerCount === 1 ? 'worker' : 'workers'}
    </Badge>
  );
}
