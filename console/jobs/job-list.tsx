import { useNavigate } from '@tanstack/react-router';
import { ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useKeys } from '../frame/keys.ts';
import { Empty, Skeleton } from '../parts/notes.tsx';
import type { BulkAct } from './bulk-dialog.tsx';
import type { Column } from './columns.tsx';
import { FirstJob } from './first-job.tsx';
import { JobTableRow } from './job-table-row.tsx';
import type { JobRows } from './use-job-rows.ts';
import type { Selection } from './use-selection.ts';

export function JobList({
  list,
  columns,
  selection,
  onAct,
  isFiltered,
  onClear,
}: {
  readonly list: JobRows;
  readonly columns: readonly Column[];
  readonly selection: Selection;
  /** Null for those who may not act. */
  readonly onAct: ((act: BulkAct) => void) | null;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  const { rows } = list;
  const navigate = useNavigate();
  const [at, setAt] = useState<string | null>(null);
  const index = rows.findIndex(({ id }) => id === at);
  const move = (to: number): void => {
    const row = rows[Math.max(0, Math.min(to, rows.length - 1))];
    if (row === undefined) return;
    setAt(row.id);
    document.getElementById(`job-${row.uuid}`)?.scrollIntoView({ block: 'nearest' });
  };
  const selectAt = (isRange: boolean): void => {
    if (at !== null) selection.toggle(at, isRange);
  };
  const act = (kind: BulkAct): void => {
    if (onAct === null) return;
    if (selection.count === 0 && at !== null) selection.toggle(at);
    if (selection.count > 0 || at !== null) onAct(kind);
  };
  useKeys({
    j: () => move(index + 1),
    k: () => move(index === -1 ? 0 : index - 1),
    x: () => selectAt(false),
    X: () => selectAt(true),
    r: () => act('retry'),
    c: () => act('cancel'),
    ...(at !== null && {
      Enter: () =>
        void navigate({ to: '/jobs/$jobId', params: { jobId: rows[index]?.uuid ?? at }, search: {} }),
    }),
  });
  useEffect(() => {
    performance.mark('millrace:rows');
  }, []);
  if (list.isLoading) return <Skeleton rows={8} />;
  if (rows.length === 0 && list.error === null)
    return isFiltered ? (
      <Empty title="No job matches">
        <p>
          {list.isPartial ? 'Among those looked at so far. ' : ''}
          <button type="button" className="button small" onClick={onClear}>
            Clear the filter
          </button>
        </p>
      </Empty>
    ) : (
      <FirstJob />
    );
  return (
    <>
      <NewJobs count={list.newCount} onShow={list.showNew} />
      <div className="table-scroll">
        <table className="table jobs">
          <thead>
            <tr>
              {onAct !== null && (
                <th className="tick">
                  <input
                    type="checkbox"
                    aria-label="Select all shown"
                    checked={rows.length > 0 && rows.every(({ id }) => selection.ids.has(id))}
                    onChange={selection.toggleShown}
                  />
                </th>
              )}
              <th>State</th>
              <th>Job</th>
              {columns.map(({ name, title }) => (
                <th key={name}>{title}</th>
              ))}
              <th className="detail">Progress, reason</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((job) => (
              <JobTableRow
                key={job.id}
                job={job}
                columns={columns}
                isAt={job.id === at}
                isSelected={selection.ids.has(job.id)}
                onSelect={onAct === null ? null : selection.toggle}
              />
            ))}
          </tbody>
        </table>
      </div>
      {(list.hasMore || list.isPartial) && (
        <div className="more">
          <button
            type="button"
            className="button"
            disabled={list.isLoadingMore || !list.hasMore}
            onClick={list.loadMore}
          >
            {list.isLoadingMore ? 'Loading…' : 'Older jobs'}
          </button>
        </div>
      )}
    </>
  );
}

/** New jobs wait here, so that no row moves under a pointer. Its place is kept free: nothing shifts when it appears. */
function NewJobs({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  return (
    <div className="new-jobs" aria-live="polite">
      {count > 0 && (
        <button type="button" className="button small" onClick={onShow}>
          <ArrowUp aria-hidden="true" size={14} /> {count > 999 ? '999+' : count} new
        </button>
      )}
    </div>
  );
}
