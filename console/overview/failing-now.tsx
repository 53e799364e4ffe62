import { Link } from '@tanstack/react-router';
import { RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { JobSummary } from '../../src/client/index.ts';
import type { StatisticsResult } from '../api/operations.gen.ts';
import { BulkDialog } from '../jobs/bulk-dialog.tsx';
import { type JobsParams, jobFilter } from '../jobs/job-params.ts';
import { everything } from '../jobs/use-selection.ts';
import { Skeleton } from '../parts/notes.tsx';
import { useMayOperate } from '../session/viewer.ts';

const FAILED = 'FAILED,DEAD_LETTER';

/** Definitions whose jobs have failed in the window, the worst first, each to be retried as a whole. */
export function FailingNow({
  summary,
  statistics,
}: {
  readonly summary: JobSummary | undefined;
  readonly statistics: NonNullable<StatisticsResult['jobStatistics']> | undefined;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const mayOperate = useMayOperate();
  const rows = summary?.definitions
    .map(({ definitionKey: key, counts }) => ({ key, count: counts.failed + counts.deadLetter }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  const lastError = (key: string): string => {
    const failure = statistics?.failures.find(({ definitionKey }) => definitionKey === key);
    return failure === undefined ? '' : `${failure.errorType}: ${failure.message}`;
  };
  return (
    <section className="card" aria-labelledby="failing">
      <header className="card-head">
        <h2 id="failing">Failing now</h2>
      </header>
      {rows === undefined && <Skeleton rows={3} />}
      {rows?.length === 0 && <p className="card-body muted">No job has failed in this window.</p>}
      <ul className="overview-list">
        {rows?.map(({ key, count }) => (
          <li key={key}>
            <Link to="/jobs" search={{ definition: key, status: FAILED }}>
              {key}
            </Link>
            <span className="failing num">{count.toLocaleString('en')}</span>
            <span className="grow muted small clip">{lastError(key)}</span>
            {mayOperate && (
              <button
                type="button"
                className="button small"
                aria-label={`Retry all failed jobs of ${key}`}
                onClick={() => setChosen(key)}
              >
                <RotateCcw aria-hidden="true" size={14} /> Retry all
              </button>
            )}
          </li>
        ))}
      </ul>
      {chosen !== null && (
        <RetryAll
          definition={chosen}
          count={rows?.find(({ key }) => key === chosen)?.count ?? 1}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  );
}

function RetryAll({
  definition,
  count,
  onClose,
}: {
  readonly definition: string;
  readonly count: number;
  readonly onClose: () => void;
}) {
  const params: JobsParams = useMemo(() => ({ definition, status: FAILED }), [definition]);
  return (
    <BulkDialog
      act="retry"
      params={params}
      filter={jobFilter(params)}
      selection={everything(count)}
      onClose={onClose}
    />
  );
}
