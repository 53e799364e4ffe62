import { useNavigate, useSearch } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { Webhooks } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { Example } from '../parts/example.tsx';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { When } from '../parts/when.tsx';
import { Deliveries } from './deliveries.tsx';
import type { Endpoint } from './endpoint.ts';
import { EndpointActs } from './endpoint-acts.tsx';
import { NewEndpointDialog } from './new-endpoint.tsx';

/** Addresses that events are delivered to, how they stand, and what became of each delivery. */
export function WebhooksPage() {
  usePageTitle('Webhooks');
  const { endpoint } = useSearch({ from: '/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const [isMaking, setMaking] = useState(false);
  const { data, error, refetch } = useOperation(Webhooks, {}, { refreshMs: 4_000 });
  const endpoints = data?.webhookEndpoints?.nodes;
  const chosen = endpoints?.find(({ uuid }) => uuid === endpoint) ?? endpoints?.[0];
  return (
    <div className="stack">
      <header className="head">
        <h1>Webhooks</h1>
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          <Webhook aria-hidden="true" size={16} /> New endpoint
        </button>
      </header>
      <ListStates error={error} onRetry={() => void refetch()} count={endpoints?.length}>
        <Empty title="No endpoints yet">
          <p>
            An endpoint is an address of yours; triggers of deliver-webhook send it the events that you
            choose.
          </p>
          <Example
            mutation={`mutation { createWebhookEndpoint(input: { label: "Shop", url: "https://shop.example.com/hook" }) { __typename } }`}
          />
        </Empty>
      </ListStates>
      {endpoints != null && endpoints.length > 0 && (
        <div className="card table-scroll">
          <table className="table stacked">
            <thead>
              <tr>
                <th>Endpoint</th>
                <th>State</th>
                <th>Last delivered</th>
                <th>
                  <span className="visually-hidden">Acts</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {endpoints.map((each) => (
                <tr key={each.uuid} aria-current={each.uuid === chosen?.uuid}>
                  <td>
                    <button
                      type="button"
                      className="link-button"
                      onClick={() => void navigate({ search: { endpoint: each.uuid }, replace: true })}
                    >
                      {each.label}
                    </button>
                    <p className="muted small mono">{each.url}</p>
                  </td>
                  <td>
                    <EndpointState endpoint={each} />
                  </td>
                  <td data-title="Last delivered">
                    <When at={each.lastDeliveredAt} />
                  </td>
                  <td className="end">
                    <EndpointActs endpoint={each} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {chosen !== undefined && <Deliveries key={chosen.uuid} endpoint={chosen} />}
      {isMaking && <NewEndpointDialog onClose={() => setMaking(false)} />}
    </div>
  );
}

function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const { isPaused, pausedAt, pauseReason, consecutiveFailureCount, failingSinceAt } = endpoint;
  if (isPaused)
    return (
      <>
        <Badge tone="warn">paused</Badge>{' '}
        <span className="muted small">
          {pauseReason} <When at={pausedAt} />
        </span>
      </>
    );
  if (consecutiveFailureCount === 0) return <Badge tone="ok">active</Badge>;
  return (
    <>
      <Badge tone="bad">failing</Badge>{' '}
      <span className="muted small">
        {consecutiveFailureCount} in a row, since <When at={failingSinceAt} />
      </span>
    </>
  );
}
