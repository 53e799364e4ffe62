import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMillrace } from '../../src/react/index.ts';
import { type AuditFilter, AuditLog } from '../api/operations.gen.ts';
import { run } from '../api/run.ts';
import { Empty, ErrorNote, Forbidden, Skeleton } from '../parts/notes.tsx';
import { At } from '../parts/when.tsx';

/** Who did what, newest first; the filter is in the address. */
export function AuditTable() {
  const client = useMillrace();
  const { actor } = useSearch({ from: '/settings' });
  const navigate = useNavigate({ from: '/settings' });
  const filter: AuditFilter = actor === undefined ? {} : { actor };
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: async ({ pageParam, signal }) =>
      (await run(client, AuditLog, { filter, first: 50, after: pageParam }, signal)).auditLog,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined),
  });
  const pages = query.data?.pages;
  if (query.error !== null) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  if (pages?.[0] === null) return <Forbidden what="The audit log is shown to admins of the tenant." />;
  const rows = pages?.flatMap((page) => page?.nodes ?? []);
  return (
    <section className="card" aria-label="Audit log">
      <header className="card-head">
        <input
          className="head-find"
          data-find
          aria-label="Actor"
          placeholder="Actor: user:alice"
          value={actor ?? ''}
          onChange={({ target }) =>
            void navigate({
              search: (before) => ({ ...before, actor: target.value || undefined }),
              replace: true,
            })
          }
        />
      </header>
      {rows === undefined && <Skeleton />}
      {rows?.length === 0 && <Empty title="Nothing is on record" />}
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
                  <td data-title="Act">{entry.action?.toLowerCase().replaceAll('_', ' ') ?? '–'}</td>
                  <td className="small" data-title="On">
                    <span>
                      {entry.targetType?.toLowerCase()} <span className="muted">{entry.targetKey}</span>
                    </span>
                  </td>
                  <td className="small" data-title="Details">
                    <code>{JSON.stringify(entry.details)}</code>
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
