import '../styles/overview.css';
import { Building2 } from 'lucide-react';
import { useContext, useState } from 'react';
import { Tenants } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { Example } from '../parts/example.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { duration } from '../parts/time.ts';
import { TenantChoiceContext } from '../session/tenant-choice.ts';
import { QueueTotals } from './queue-totals.tsx';
import { type ListedTenant, NewTenantDialog, TenantActs } from './tenant-acts.tsx';

/** All tenants with how their queues stand; a super admin acts on one of them at a time. */
export function TenantsPage() {
  usePageTitle('Tenants');
  const { data, error, refetch } = useOperation(Tenants, {}, { refreshMs: 5_000 });
  const [isMaking, setMaking] = useState(false);
  const tenants = data?.tenants?.nodes;
  return (
    <div className="stack">
      <header className="head">
        <h1>Tenants</h1>
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          <Building2 aria-hidden="true" size={16} /> New tenant
        </button>
      </header>
      {isMaking && <NewTenantDialog onClose={() => setMaking(false)} />}
      <ListStates error={error} onRetry={() => void refetch()} count={tenants?.length}>
        <Empty title="No tenants yet">
          <p>A tenant has its own jobs, members, keys and limits:</p>
          <Example
            mutation={`mutation { createTenant(input: { slug: "acme", name: "Acme" }) { __typename } }`}
          />
        </Empty>
      </ListStates>
      {tenants !== undefined && tenants.length > 0 && <TenantTable tenants={tenants} />}
    </div>
  );
}

function TenantTable({ tenants }: { readonly tenants: readonly ListedTenant[] }) {
  const { tenantId, choose } = useContext(TenantChoiceContext);
  return (
    <>
      <QueueTotals tenants={tenants} />
      <div className="card table-scroll">
        <table className="table stacked paired">
          <thead>
            <tr>
              <th>Tenant</th>
              <th>State</th>
              <th className="end">Ready</th>
              <th className="end">Running</th>
              <th className="end">Later</th>
              <th className="end">Waiting</th>
              <th className="end">Oldest ready</th>
              <th>
                <span className="visually-hidden">Acts</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tenants.map((tenant) => {
              const { id, uuid, slug, name, isPaused, queue } = tenant;
              return (
                <tr key={id}>
                  <td>
                    <strong>{name}</strong> <span className="muted small">{slug}</span>
                  </td>
                  <td>{isPaused ? <Badge tone="warn">paused</Badge> : <Badge tone="ok">active</Badge>}</td>
                  <td className="end" data-title="Ready">
                    {atLeast(queue?.readyCount, queue?.isComplete)}
                  </td>
                  <td className="end" data-title="Running">
                    {atLeast(queue?.runningCount, queue?.isComplete)}
                  </td>
                  <td className="end" data-title="Later">
                    {atLeast(queue?.delayedCount, queue?.isComplete)}
                  </td>
                  <td className="end" data-title="Waiting">
                    {atLeast(queue?.waitingCount, queue?.isComplete)}
                  </td>
                  <td className="end" data-title="Oldest ready">
                    {queue?.oldestReadySeconds == null ? '–' : duration(queue.oldestReadySeconds * 1_000)}
                  </td>
                  <td className="end">
                    <span className="row row-end">
                      <button
                        type="button"
                        className="button small"
                        aria-pressed={uuid === tenantId}
                        title={`Act on ${name}`}
                        onClick={() => choose(uuid)}
                      >
                        {uuid === tenantId ? 'Chosen' : 'Act on it'}
                      </button>
                      <TenantActs tenant={tenant} />
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

function atLeast(count: number | undefined, isComplete: boolean | undefined): string {
  if (count === undefined) return '–';
  return `${isComplete === false && count >= 10_000 ? '≥ ' : ''}${count.toLocaleString('en')}`;
}
