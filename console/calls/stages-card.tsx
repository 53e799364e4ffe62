import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { CallDetailResult } from '../api/operations.gen.ts';
import { Badge } from '../parts/status.tsx';

type Stages = NonNullable<CallDetailResult['call']>['stages'];

const NAMES = {
  EXTRACT_AUDIO: 'Take out the sound',
  TRANSCRIBE_START: 'Send it',
  TRANSCRIBE_POLL: 'Transcribe',
  ANALYZE: 'Analyse',
} as const;
const TONES = {
  SUCCEEDED: 'ok',
  FAILED: 'bad',
  CANCELED: 'warn',
  RUNNING: 'info',
  QUEUED: 'idle',
  WAITING: 'idle',
} as const;

/** The stages of the work on a call, from left to right, each with its job. */
export function StagesCard({ stages }: { readonly stages: Stages | undefined }) {
  if (stages === undefined) return null;
  return (
    <section className="card" aria-labelledby="stages">
      <header className="card-head">
        <h2 id="stages">Stages</h2>
      </header>
      <ol className="stages">
        {stages.map(({ stage, status, progress, job }, index) => (
          <li key={stage}>
            {index > 0 && <ChevronRight aria-hidden="true" size={16} className="stage-arrow" />}
            <div className="stage">
              <span className="row">
                {job === null ? (
                  <strong>{NAMES[stage]}</strong>
                ) : (
                  <Link to="/jobs/$jobId" params={{ jobId: job.uuid }} search={{}}>
                    {NAMES[stage]}
                  </Link>
                )}
                <Badge tone={TONES[status]}>{status.toLowerCase()}</Badge>
              </span>
              <progress
                className="wide"
                max={100}
                value={status === 'SUCCEEDED' ? 100 : (progress?.percent ?? 0)}
                aria-label={`Progress of ${NAMES[stage]}`}
              />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
