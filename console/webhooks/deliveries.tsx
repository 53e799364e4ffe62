import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useMillrace } from '../../src/react/index.ts';
import { RedeliverWebhook, WebhookDeliveries } from '../api/operations.gen.ts';
import { done, run } from '../api/run.ts';
import { useAct } from '../api/use-act.ts';
import { useOperation } from '../api/use-operation.ts';
import { ListStates } from '../parts/list-states.tsx';
import { Empty, ErrorNote } from '../parts/notes.tsx';
import { Badge } from '../parts/status.tsx';
import { duration } from '../parts/time.ts';
import { At } from '../parts/when.tsx';
import type { Endpoint } from './endpoint.ts';

const PAGE = 20;
const TONES = { DELIVERED: 'ok', FAILED: 'bad', SKIPPED: 'warn' } as const;

/** Attempts to deliver to one endpoint, newest first, with the answers, and again on request. */
export function Deliveries({ endpoint }: { readonly endpoint: Endpoint }) {
  const client = useMillrace();
  const [limit, setLimit] = useState(PAGE);
  const variables = { uuid: endpoint.uuid, first: limit };
  const { data, error, refetch } = useOperation(WebhookDeliveries, variables, { refreshMs: 4_000 });
  const again = useAct(
    async (uuid: string) => done((await run(client, RedeliverWebhook, { input: { uuid } })).redeliverWebhook),
    { says: 'It is delivered again' },
  );
  const rows = data?.webhookEndpoints?.nodes[0]?.deliveries.nodes;
  return (
    <section className="card" aria-labelledby="deliveries">
      <header className="card-head">
        <h2 id="deliveries">Deliveries to {endpoint.label}</h2>
      </header>
      {again.error !== null && <ErrorNote error={again.error} />}
      <ListStates error={error} onRetry={() => void refetch()} count={rows?.length}>
        <Empty title="Nothing was delivered yet">
          <p>A trigger of deliver-webhook that names this endpoint delivers its events here.</p>
        </Empty>
      </ListStates>
      {rows !== undefined && rows.length > 0 && (
        <div className="table-scroll">
          <table className="table stacked">
            <thead>
              <tr>
                <th>When</th>
                <th>Event</th>
                <th>Outcome</th>
                <th className="end">Answer</th>
                <th className="end">Took</th>
                <th>Details</th>
                <th>
                  <span className="visually-hidden">Acts</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.uuid}>
                  <td>
                    <At at={row.attemptedAt} />
                  </td>
                  <td data-title="Event">
                    <code>{row.eventName}</code>
                  </td>
                  <td data-title="Outcome">
                    <Badge tone={TONES[row.outcome]}>{row.outcome.toLowerCase()}</Badge>
                  </td>
                  <td className="end num" data-title="Answer">
                    {row.statusCode ?? 'none'}
                  </td>
                  <td className="end num" data-title="Took">
                    {duration(row.durationMs)}
                  </td>
                  <td className="small" data-title="Details">
                    {row.failure}{' '}
                    {row.job !== null && (
                      <Link to="/jobs/$jobId" params={{ jobId: row.job.uuid }} search={{}}>
                        its job
                      </Link>
                    )}
                    {row.answerText !== null && row.answerText !== '' && (
                      <details>
                        <summary>What was answered</summary>
                        <pre className="code">{row.answerText}</pre>
                      </details>
                    )}
                  </td>
                  <td className="end">
                    <button
                      type="button"
                      className="button small"
                      aria-label={`Again: deliver ${row.eventName}`}
                      disabled={again.isPending}
                      onClick={() => again.mutate(row.uuid)}
                    >
                      <RotateCcw aria-hidden="true" size={14} /> Again
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows?.length === limit && limit < 100 && (
        <div className="more">
          <button type="button" className="button" onClick={() => setLimit(100)}>
            Older deliveries
          </button>
        </div>
      )}
    </section>
  );
}
