import { Link } from '@tanstack/react-router';
import { Hourglass } from 'lucide-react';
import { StatusBadge } from '../parts/status.tsx';
import { When } from '../parts/when.tsx';
import type { Detail } from './use-job-detail.ts';
import { WaitText } from './wait-text.tsx';

/** What keeps a queued job from being started, with links to where that can be changed. */
export function WhyWaiting({ job }: { readonly job: Detail }) {
  if (job.waitingFor === null || job.status !== 'QUEUED') return null;
  const { endsAt } = job.waitingFor;
  return (
    <div className="note warn" role="status">
      <Hourglass aria-hidden="true" size={18} />
      <div>
        <p>
          <strong>Why it waits.</strong> <WaitText waitingFor={job.waitingFor} />{' '}
          {endsAt !== null && (
            <span className="small muted">
              (<When at={endsAt} />)
            </span>
          )}
        </p>
        <Where job={job} reason={job.waitingFor.reason} />
      </div>
    </div>
  );
}

function Where({
  job,
  reason,
}: {
  readonly job: Detail;
  readonly reason: NonNullable<Detail['waitingFor']>['reason'];
}) {
  const { key } = job.definition;
  switch (reason) {
    case 'DEPENDENCY':
      return (
        <ul className="small">
          {job.dependsOn
            .filter((edge) => edge.job.status === 'QUEUED' || edge.job.status === 'RUNNING')
            .map((edge) => (
              <li key={edge.job.id}>
                <Link to="/jobs/$jobId" params={{ jobId: edge.job.uuid }} search={{}}>
                  {edge.job.definition.key} <span className="mono">{edge.job.uuid.slice(-8)}</span>
                </Link>{' '}
                <StatusBadge status={edge.job.status} />
              </li>
            ))}
        </ul>
      );
    case 'PAUSED':
    case 'LIMIT':
    case 'RATE':
      return (
        <p className="small">
          <Link to="/definitions/$key" params={{ key }} search={{}}>
            Pauses and limits of {key}
          </Link>
          {' · '}
          <Link to="/jobs" search={{ status: 'RUNNING', definition: key }}>
            What runs of it
          </Link>
        </p>
      );
    case 'NO_WORKER':
    case 'TURN':
      return (
        <p className="small">
          <Link to="/workers">Workers</Link>
        </p>
      );
    default:
      return null;
  }
}
