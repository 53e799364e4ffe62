import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { JobsState } from '../../src/client/index.ts';
import { StatusBadge } from '../parts/status.tsx';
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
      <ol className="link-stages">
        {STAGES.map(({ key, name }, index) => {
          const job = jobs.filter(({ definition }) => definition.key === key).at(0);
          return (
            <li key={key} className="row">
              {index > 0 && <ChevronRight aria-hidden="true" size={16} />}
              <strong>{name}</strong>
              {job === undefined ? (
                <span className="muted small">{status === 'FAILED' ? 'not reached' : 'to come'}</span>
              ) : (
                <>
                  <Link to="/jobs/$jobId" params={{ jobId: job.uuid }} search={{}}>
                    <StatusBadge status={job.status} />
                  </Link>
                  {job.progress?.stage != null && !job.isFinal && (
                    <span className="muted small">{job.progress.stage}</span>
                  )}
                </>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
