import type { JobSummary } from '../../src/client/index.ts';
import { useJobSummary } from '../../src/react/index.ts';
import type { DefinitionsResult } from '../api/operations.gen.ts';
import { useUnlessPaused } from '../frame/pause.tsx';
import { duration } from '../parts/time.ts';

export type ListedDefinitions = NonNullable<DefinitionsResult['jobDefinitions']>['nodes'];

const ended = ({ counts }: JobSummary): number =>
  counts.succeeded + counts.failed + counts.deadLetter + counts.canceled;

/** Throughput, share that fails, the longest wait and the workers, in words with their units. */
export function Figures({
  summary,
  definitions,
}: {
  readonly summary: JobSummary | undefined;
  readonly definitions: ListedDefinitions | undefined;
}) {
  const lately = useUnlessPaused(useJobSummary({ sinceSeconds: 60 }).summary);
  const bad = summary === undefined ? 0 : summary.counts.failed + summary.counts.deadLetter;
  const all = summary === undefined ? 0 : ended(summary);
  const served = definitions?.filter(({ isActive, workerCount }) => isActive && workerCount > 0).length;
  const figures = [
    {
      name: 'Throughput',
      value: lately === undefined ? '…' : `${ended(lately).toLocaleString('en')} / min`,
      hint: 'jobs that ended in the last minute',
    },
    {
      name: 'Failing',
      value: summary === undefined ? '…' : all === 0 ? '–' : `${((100 * bad) / all).toFixed(1)} %`,
      hint: 'of what has ended in the window',
      tone: bad > 0 ? 'bad' : '',
    },
    {
      name: 'Longest wait',
      value:
        summary === undefined
          ? '…'
          : summary.oldestQueuedSeconds === null
            ? 'none'
            : duration(summary.oldestQueuedSeconds * 1_000),
      hint: 'of a job that is due and that nobody has taken',
      tone: (summary?.oldestQueuedSeconds ?? 0) > 60 ? 'warn' : '',
    },
    {
      name: 'Workers',
      value:
        definitions === undefined
          ? '…'
          : `${Math.max(0, ...definitions.map(({ workerCount }) => workerCount))}`,
      hint: served === undefined ? '' : `${served} of ${definitions?.length} definitions are served`,
      tone: served === 0 ? 'bad' : '',
    },
  ];
  return (
    <section className="figures" aria-label="Figures">
      {figures.map(({ name, value, hint, tone }) => (
        <div key={name} className={`figure ${tone ?? ''}`}>
          <p className="muted small">{name}</p>
          <p className="figure-value num">{value}</p>
          <p className="muted small">{hint}</p>
        </div>
      ))}
    </section>
  );
}
