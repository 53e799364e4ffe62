import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useJobSummary } from '../../src/react/index.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useMay, useMayOperate } from '../session/viewer.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type BulkAct, BulkDialog } from './bulk-dialog.tsx';
import { ColumnChoice, columnsOf } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { JobList } from './job-list.tsx';
import { type JobsParams, jobFilter } from './job-params.ts';
import { rememberList } from './last-list.ts';
import { NewJobs } from './new-jobs.tsx';
import { StatusCards } from './status-cards.tsx';
import { useJobRows } from './use-job-rows.ts';
import { useSelection } from './use-selection.ts';

export function JobsPage() {
  usePageTitle('Jobs');
  const { dropped, ...params } = useSearch({ from: '/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const text = JSON.stringify(params);
  const filter = useMemo(() => jobFilter(JSON.parse(text) as JobsParams), [text]);
  const summary = useUnlessPaused(useJobSummary().summary);
  const list = useJobRows(filter);
  const selection = useSelection(list.rows, text);
  const [act, setAct] = useState<BulkAct | null>(null);
  const mayWrite = useMay('JOBS_WRITE');
  const mayOperate = useMayOperate();
  rememberList(list.rows.map(({ uuid }) => uuid));
  const set = useCallback(
    (change: JobsParams, isTyping = false) =>
      void navigate({
        search: (before) => ({ ...before, ...change }),
        replace: isTyping,
      }),
    [navigate],
  );
  return (
    <div className="stack">
      <header className="head">
        <h1>Jobs</h1>
        {mayWrite && (
          <Link className="button primary" to="/definitions" search={{}}>
            <Plus aria-hidden="true" size={16} /> Enqueue
          </Link>
        )}
      </header>
      <StatusCards params={params} summary={summary} onChoose={(status) => set({ status })} />
      <div className="job-list">
        <NewJobs count={list.newCount} onShow={list.showNew} />
        <section className="card" aria-label="List of jobs">
          <div className="card-head jobs-head">
            <FilterBar params={params} onChange={set} />
            <ColumnChoice value={params.cols} onChange={(cols) => set({ cols }, true)} />
          </div>
          {list.error !== null && (
            <div className="card-body">
              <ErrorNote error={list.error} onRetry={list.showNew} />
            </div>
          )}
          <JobList
            list={list}
            columns={columnsOf(params.cols)}
            selection={selection}
            onAct={mayOperate ? setAct : null}
            isFiltered={Object.keys(params).some((name) => name !== 'cols')}
            onClear={() => void navigate({ search: {} })}
          />
        </section>
      </div>
      {mayOperate && selection.count > 0 && (
        <BulkBar selection={selection} hasMore={list.hasMore} onAct={setAct} />
      )}
      {act !== null && (
        <BulkDialog
          act={act}
          params={params}
          filter={filter}
          selection={selection}
          onClose={(isDone) => {
            setAct(null);
            if (isDone) selection.clear();
          }}
        />
      )}
    </div>
  );
}
