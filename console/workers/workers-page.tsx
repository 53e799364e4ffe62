import { Link } from '@tanstack/react-router';
import { Cpu, TriangleAlert } from 'lucide-react';
import { Definitions, Workers, type WorkersResult } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { When } from '../parts/when.tsx';

/** The processes that run jobs, and how they stand. */
export function WorkersPage() {
  usePageTitle('Workers');
  const { data, error, refetch } = useOperation(Workers, {}, { refreshMs: 3_000 });
  const workers = data?.workers;
  const versions = new Set(workers?.map(({ version }) => version));
  return (
    <div className="stack">
      <header className="head">
        <h1>Workers</h1>
      </header>
      {versions.size > 1 && (
        <p className="note warn">
          <TriangleAlert aria-hidden="true" size={18} /> Workers of {versions.size} versions run side by side:{' '}
          {[...versions].join(', ')}.
        </p>
      )}
      <Unserved />
      <ListStates error={error} onRetry={() => void refetch()} count={workers?.length}>
        <Empty title="No worker runs">
          <p>Queued jobs wait until one does:</p>
          <pre className="code">npx millrace worker</pre>
        </Empty>
      </ListStates>
      {workers != null && workers.length > 0 && (
        <div className="card table-scroll">
          <table className="table stacked">
            <thead>
              <tr>
                <th>Worker</th>
                <th>State</th>
                <th>Slots</th>
                <th>Version</th>
                <th>Up since</th>
                <th>Seen</th>
                <th>Runs now</th>
                <th>Lease</th>
                <th>Takes</th>
              </tr>
            </thead>
            <tbody>
              {workers.map((worker) => (
                <tr key={worker.name}>
                  <td className="which-worker">
                    <strong>{worker.hostname}</strong>
                    <p className="muted small mono">{worker.name}</p>
                  </td>
                  <td>
                    {worker.isStale ? (
                      <Badge tone="bad">not seen lately</Badge>
                    ) : worker.stoppingAt === null ? (
                      <Badge tone="ok">
                        <Cpu aria-hidden="true" size={13} /> running
                      </Badge>
                    ) : (
                      <Badge tone="warn">stopping</Badge>
                    )}
                  </td>
                  <td className="worker-slots" data-title="Slots">
                    <span className="progress">
                      <progress
                        max={worker.concurrency}
                        value={worker.runningCount}
                        aria-label={`Slots of ${worker.name} in use`}
                      />
                      <span className="num small muted">
                        {worker.runningCount} / {worker.concurrency}
                      </span>
                    </span>
                  </td>
                  <td data-title="Version">{worker.version || '–'}</td>
                  <td className="one-line" data-title="Up since">
                    <When at={worker.startedAt} />
                  </td>
                  <td className="one-line" data-title="Seen">
                    <When at={worker.lastSeenAt} />
                  </td>
                  <td className="small" data-title="Runs now">
                    {worker.runs.length === 0 ? (
                      <span className="muted">nothing</span>
                    ) : (
                      worker.runs.map((of) => <Running key={of.definitionKey} of={of} />)
                    )}
                  </td>
                  <td className="one-line" data-title="Lease">
                    <Lease runs={worker.runs} />
                  </td>
                  <td className="small muted worker-takes" data-title="Takes">
                    {worker.jobTypes.map(({ definitionKey }) => definitionKey).join(', ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

type Runs = NonNullable<WorkersResult['workers']>[number]['runs'];

function Running({ of }: { readonly of: Runs[number] }) {
  return (
    <p>
      <span className="num">{of.jobCount}</span> ×{' '}
      <Link to="/definitions/$key" params={{ key: of.definitionKey }} search={{}}>
        {of.definitionKey}
      </Link>{' '}
      <span className="muted">
        since <When at={of.oldestClaimedAt} />
      </span>
    </p>
  );
}

/** When the first lease of a worker ends, unless it renews it. */
function Lease({ runs }: { readonly runs: Runs }) {
  const [first] = runs.flatMap(({ leaseExpiresAt }) => leaseExpiresAt ?? []).toSorted();
  return first === undefined ? <span className="muted">–</span> : <When at={first} />;
}

/** The definitions whose jobs no worker takes. */
function Unserved() {
  const { data } = useOperation(Definitions, {}, { refreshMs: 15_000 });
  const keys = data?.jobDefinitions?.nodes
    .filter(({ isActive, workerCount }) => isActive && workerCount === 0)
    .map(({ key }) => key);
  if (keys === undefined || keys.length === 0) return null;
  return (
    <div className="note warn">
      <TriangleAlert aria-hidden="true" size={18} />
      <p>
        No worker takes the jobs of{' '}
        {keys.map((key, index) => (
          <span key={key}>
            {index > 0 && ', '}
            <Link to="/definitions/$key" params={{ key }} search={{}}>
              {key}
            </Link>
          </span>
        ))}
        .
      </p>
    </div>
  );
}
