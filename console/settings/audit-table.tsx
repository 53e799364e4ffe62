import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMillrace } from '../../src/react/index.ts';
import { type AuditAction, type AuditFilter, AuditLog } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { downloadText } from '../parts/download.ts';
import { ListStates } from '../parts/list-states.tsx';
import { Empty } from '../parts/notes.tsx';
import { toast } from '../parts/toasts.tsx';
import { At } from '../parts/when.tsx';
import { AUDIT_ACTS, actInWords } from './audit-acts.ts';
import { auditAsCsv } from './audit-csv.ts';
import { AuditDetails } from './audit-details.tsx';

/** Who did what, newest first; the filter is in the address. */
export function AuditTable() {
  const client = useMillrace();
  const params = useSearch({ from: '/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const filter: AuditFilter = {
    ...(params.actor !== undefined && { actor: params.actor }),
    ...(params.action !== undefined && { action: params.action as AuditAction }),
    ...(params.from !== undefined && { createdAfter: new Date(params.from).toISOString() }),
  };
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: async ({ pageParam, signal }) =>
      (await run(client, AuditLog, { filter, first: 50, after: pageParam }, signal)).auditLog,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined),
  });
  const pages = query.data?.pages;
  const rows = pages?.flatMap((page) => page?.nodes ?? []);
  return (
    <section className="card" aria-label="Audit log">
      <AuditHead filter={filter} />
      <ListStates
        error={pages === undefined ? query.error : null}
        onRetry={() => void query.refetch()}
        count={rows?.length}
        noneMatches="Nothing is on record"
        filter={{
          Actor: params.actor,
          Act: params.action && actInWords(params.action as AuditAction),
          From: params.from,
        }}
        onClear={() => void navigate({ search: { tab: 'audit' } })}
      >
        <Empty title="Nothing is on record">
          <p>What people and keys change stands here, with its old and new values.</p>
        </Empty>
      </ListStates>
      {rows !== undefined && rows.length > 0 && (
        <div className="table-scroll">
          <table className="table stacked audit">
            <thead>
              <tr>
                <th>When</th>
                <th>Actor</th>
                <th>Act</th>
                <th>On</th>
                <th>Details</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((entry) => (
                <tr key={entry.id}>
                  <td>
                    <At at={entry.createdAt} />
                  </td>
                  <td data-title="Actor">{entry.actor}</td>
                  <td data-title="Act">{entry.action === null ? '–' : actInWords(entry.action)}</td>
                  <td className="small" data-title="On">
                    <span>
                      {entry.targetType?.toLowerCase()} <span className="muted">{entry.targetKey}</span>
                    </span>
                  </td>
                  <td className="small" data-title="Details">
                    <AuditDetails details={entry.details} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {query.hasNextPage && (
        <div className="more">
          <button type="button" className="button" onClick={() => void query.fetchNextPage()}>
            Older
          </button>
        </div>
      )}
    </section>
  );
}

/** What narrows the log, and the download of what it then has. */
function AuditHead({ filter }: { readonly filter: AuditFilter }) {
  const client = useMillrace();
  const { actor, action, from } = useSearch({ from: '/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const set = (change: { actor?: string; action?: string; from?: string }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: 'actor' in change });
  const save = useMutation({
    mutationFn: async () => downloadText('audit-log.csv', await auditAsCsv(client, filter), 'text/csv'),
    onError: (error) => toast(error instanceof Error ? error.message : String(error), true),
  });
  return (
    <header className="card-head filters">
      <input
        className="head-find"
        data-find
        aria-label="Actor"
        placeholder="Actor: user:alice"
        value={actor ?? ''}
        onChange={({ target }) => set({ actor: target.value })}
      />
      <select
        aria-label="Act"
        value={AUDIT_ACTS.find((each) => each === action) ?? ''}
        onChange={({ target }) => set({ action: target.value })}
      >
        <option value="">All acts</option>
        {AUDIT_ACTS.map((each) => (
          <option key={each} value={each}>
            {actInWords(each)}
          </option>
        ))}
      </select>
      <label className="row small">
        From
        <input type="date" value={from ?? ''} onChange={({ target }) => set({ from: target.value })} />
      </label>
      <span className="grow" />
      <button type="button" className="button small" disabled={save.isPending} onClick={() => save.mutate()}>
        <Download aria-hidden="true" size={14} /> Download
      </button>
    </header>
  );
}
