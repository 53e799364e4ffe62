import type { JobsState } from '../../src/client/index.ts';
import { Stages } from '../parts/stages.tsx';
import type { ListedLink } from './link-state.tsx';

type Job = JobsState['jobs'][number];

const STAGES = [
  { key: 'scrape', name: 'Read' },
  { key: 'enrich', name: 'Sum up and embed' },
] as const;

/** The stages of the work on a link, from left to right, as their jobs go. */
export function StagesCard({
  status,
  jobs,
}: {
  readonly status: ListedLink['status'];
  readonly jobs: readonly Job[];
}) {
  return (
    <section className="card" aria-labelledby="stages">
      <header className="card-head">
        <h2 id="stages">Stages</h2>
      </header>
      <Stages
        stages={STAGES.map(({ key, name }) => {
          const job = jobs.find(({ definition }) => definition.key === key);
          return {
            name,
            status: job?.status ?? 'WAITING',
            word: job === undefined ? (status === 'FAILED' ? 'not reached' : 'to come') : undefined,
            percent: job?.progress?.percent,
            detail: job?.isFinal === false ? job.progress?.stage : null,
            job,
          };
        })}
      />
    </section>
  );
}
