import '../styles/overview.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { JobSummary } from '../../src/client/index.ts';
import { useJobSummary } from '../../src/react/index.ts';
import { Definitions, FailingSchedules, Statistics } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { FirstJob } from '../jobs/first-job.tsx';
import { StatusCards } from '../jobs/status-cards.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Attention } from './attention.tsx';
import { FailingNow } from './failing-now.tsx';
import { Figures } from './figures.tsx';
import { LongestWaitingCard } from './longest-waiting.tsx';
import { Throughput } from './throughput.tsx';

const WINDOWS = [
  { seconds: 300, name: '5 min' },
  { seconds: 3_600, name: '1 hour' },
  { seconds: 86_400, name: '1 day' },
] as const;

/** What an operator looks at first: how much is done, what fails, what waits and why, who works. */
export function OverviewPage() {
  usePageTitle('Overview');
  const { since } = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const sinceSeconds = Number(since ?? 3_600);
  const summary = useUnlessPaused(useJobSummary({ sinceSeconds }).summary);
  const listed = useOperation(Definitions, {}, { refreshMs: 10_000 });
  const definitions = listed.data?.jobDefinitions?.nodes;
  const lately = useOperation(Statistics, { sinceSeconds }, { refreshMs: 10_000 });
  const statistics = useUnlessPaused(lately.data?.jobStatistics ?? undefined);
  const failing = useOperation(FailingSchedules, {}, { refreshMs: 15_000 });
  const { refetch: readFailing } = failing;
  const failed = [listed, lately, failing].find(({ error }) => error !== null);
  const failedCount = summary && summary.counts.failed + summary.counts.deadLetter;
  // What has failed since may be of a schedule.
  useEffect(() => {
    if (failedCount !== undefined) void readFailing();
  }, [failedCount, readFailing]);
  return (
    <div className="stack">
      <header className="head">
        <h1>Overview</h1>
        <fieldset className="segments">
          <legend className="visually-hidden">Window of what has ended</legend>
          {WINDOWS.map(({ seconds, name }) => (
            <button
              key={seconds}
              type="button"
              aria-pressed={seconds === sinceSeconds}
              onClick={() =>
                void navigate({
                  search: { since: seconds === 3_600 ? undefined : String(seconds) },
                  replace: true,
                })
              }
            >
              {name}
            </button>
          ))}
        </fieldset>
      </header>
      {failed !== undefined && <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />}
      <StatusCards
        params={null}
        summary={summary}
        onChoose={(status) => void navigate({ to: '/jobs', search: { status } })}
      />
      {summary !== undefined && isWithoutJobs(summary) && (
        <section className="card" aria-label="First steps">
          <FirstJob title="No jobs in this window" />
        </section>
      )}
      <Figures summary={summary} definitions={definitions} />
      <Throughput intervals={statistics?.intervals} />
      <div className="overview-columns">
        <Attention summary={summary} definitions={definitions} schedules={failing.data?.triggers?.nodes} />
        <FailingNow summary={summary} statistics={statistics} />
      </div>
      <LongestWaitingCard summary={summary} />
    </div>
  );
}

/** Whether nothing waits or runs, and nothing has ended in the window. */
function isWithoutJobs({ counts }: JobSummary): boolean {
  const { queued, running, succeeded, failed, deadLetter, canceled } = counts;
  return queued + running + succeeded + failed + deadLetter + canceled === 0;
}
