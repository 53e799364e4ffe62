import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useKeys } from '../frame/keys.ts';
import { Empty, Skeleton } from '../parts/notes.tsx';
import type { BulkAct } from './bulk-dialog.tsx';
import type { Column } from './columns.tsx';
import { FirstJob } from './first-job.tsx';
import { JobTableRow } from './job-table-row.tsx';
import { useDrawnRows } from './use-drawn-rows.ts';
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
  const body = useRef<HTMLTableSectionElement>(null);
  const drawn = useDrawnRows(rows.length, body);
  const hasRows = rows.length > 0;
  const index = rows.findIndex(({ id }) => id === at);
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(to, rows.length - 1));
    const row = rows[next];
    if (row === undefined) return;
    setAt(row.id);
    if (drawn.isWindowed) drawn.scrollTo(next);
    const drawnRow = document.getElementById(`job-${row.uuid}`);
    drawnRow?.scrollIntoView({ block: 'nearest' });
    // The focus goes along: Enter opens it as any link, and a screen reader says where it is.
    drawnRow?.querySelector<HTMLElement>('.which a')?.focus({ preventScroll: true });
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
    if (hasRows) performance.mark('millrace:rows');
  }, [hasRows]);
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
      <div className="table-scroll">
        <table className="table jobs" aria-rowcount={rows.length + 1}>
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
              <th className="state">State</th>
              <th className="which">Job</th>
              {columns.map(({ name, title }) => (
                <th key={name} className={`column-${name}`}>
                  {title}
                </th>
              ))}
              <th className="detail">Progress, reason</th>
            </tr>
          </thead>
          <tbody ref={body}>
            <Space px={drawn.abovePx} />
            {rows.slice(drawn.from, drawn.to).map((job, offset) => (
              <JobTableRow
                key={job.id}
                job={job}
                index={drawn.from + offset}
                measure={drawn.isWindowed ? drawn.measure : null}
                columns={columns}
                isAt={job.id === at}
                isSelected={selection.ids.has(job.id)}
                onSelect={onAct === null ? null : selection.toggle}
              />
            ))}
            <Space px={drawn.belowPx} />
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

/** Where rows are that are not drawn. */
function Space({ px }: { readonly px: number }) {
  if (px <= 0) return null;
  return (
    <tr className="space">
      <td colSpan={99} style={{ height: px }} />
    </tr>
  );
}
