import { Link } from '@tanstack/react-router';
import { Minus } from 'lucide-react';
import type { TriggerRunRow } from '../api/operations.gen.ts';
import { STATUSES } from '../parts/status.tsx';
import { useTimes } from '../parts/time.ts';
import { outcomeInWords } from './outcomes.ts';

/** The latest runs of a trigger, newest at the right: each leads to its job, or says why there is none. */
export function RunDots({ runs }: { readonly runs: readonly TriggerRunRow[] }) {
  const times = useTimes();
  if (runs.length === 0) return <span className="muted">none yet</span>;
  return (
    <span className="run-dots">
      {runs.toReversed().map(({ id, createdAt, job, outcome, reason }) => {
        const when = times.at(createdAt);
        if (job === null) {
          const why = `${when}: ${outcomeInWords(outcome)}${reason === null ? '' : `, ${reason}`}`;
          return (
            <span key={id} className="run-dot" role="img" aria-label={why} title={why}>
              <Minus aria-hidden="true" size={13} />
            </span>
          );
        }
        const { word, tone, icon: Icon } = STATUSES[job.status];
        return (
          <Link
            key={id}
            className={`run-dot tone-${tone}`}
            to="/jobs/$jobId"
            params={{ jobId: job.uuid }}
            search={{}}
            aria-label={`${when}: ${word}`}
            title={`${when}: ${word}`}
          >
            <Icon aria-hidden="true" size={15} />
          </Link>
        );
      })}
    </span>
  );
}
