import { Statistics } from '../api/operations.gen.ts';
import { useOperation } from '../api/use-operation.ts';
import { Failures } from '../parts/failures.tsx';
import { ErrorNote, Skeleton } from '../parts/notes.tsx';
import { duration } from '../parts/time.ts';
import { At } from '../parts/when.tsx';

/** How the jobs of one definition went recently: waits, runs and errors. */
export function StatisticsTab({ definition }: { readonly definition: string }) {
  const { data, error, refetch } = useOperation(Statistics, { sinceSeconds: DAY }, { refreshMs: 10_000 });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  const statistics = data?.jobStatistics;
  if (statistics == null) return <Skeleton rows={4} />;
  const of = statistics.definitions.find(({ definitionKey }) => definitionKey === definition);
  const figures = [
    { name: 'Ended', value: (of?.endedCount ?? 0).toLocaleString('en'), hint: 'in the last day' },
    { name: 'Failed', value: (of?.failedCount ?? 0).toLocaleString('en'), hint: 'of those' },
    { name: 'Wait', value: timeOf(of?.medianWaitMs), hint: `p50; p95 ${timeOf(of?.p95WaitMs)}` },
    { name: 'Run', value: timeOf(of?.medianRunMs), hint: `p50; p95 ${timeOf(of?.p95RunMs)}` },
  ];
  return (
    <div className="stack">
      <section className="figures" aria-label="Times">
        {figures.map(({ name, value, hint }) => (
          <div key={name} className="figure">
            <p className="muted small">{name}</p>
            <p className="figure-value num">{value}</p>
            <p className="muted small">{hint}</p>
          </div>
        ))}
      </section>
      <section className="card" aria-label="Last failures">
        <header className="card-head">
          <h2>Last failures</h2>
        </header>
        <Failures
          failures={statistics.failures.filter(({ definitionKey }) => definitionKey === definition)}
        />
      </section>
      <p className="muted small">
        Of the tenant’s newest {statistics.jobCount.toLocaleString('en')} ended jobs, since{' '}
        <At at={statistics.finishedAfter} />.
      </p>
    </div>
  );
}

const DAY = 86_400;

/** A time of which there may be none. */
export function timeOf(ms: number | null | undefined): string {
  return ms == null ? '–' : duration(ms);
}
