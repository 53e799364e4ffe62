import '../styles/stages.css';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { Badge } from './status.tsx';

const TONES = {
  SUCCEEDED: 'ok',
  FAILED: 'bad',
  DEAD_LETTER: 'bad',
  CANCELED: 'warn',
  RUNNING: 'info',
  QUEUED: 'idle',
  WAITING: 'idle',
} as const;

interface Stage {
  readonly name: string;
  readonly status: keyof typeof TONES;
  /** What its badge says, where that is not its status. */
  readonly word?: string | undefined;
  /** How far it is, 0 to 100; null before that is known. */
  readonly percent: number | null | undefined;
  /** What it is at, in a few words. */
  readonly detail?: string | null | undefined;
  readonly job?: { readonly uuid: string } | null | undefined;
}

/** The stages of a work from left to right, each with how far it is, and its job. */
export function Stages({ stages }: { readonly stages: readonly Stage[] }) {
  return (
    <ol className="stages">
      {stages.map(({ name, status, word, percent, detail, job }, index) => (
        <li key={name}>
          {index > 0 && <ChevronRight aria-hidden="true" size={16} className="stage-arrow" />}
          <div className="stage">
            <span className="row">
              {job == null ? (
                <strong>{name}</strong>
              ) : (
                <Link to="/jobs/$jobId" params={{ jobId: job.uuid }} search={{}}>
                  {name}
                </Link>
              )}
              <Badge tone={TONES[status]}>{word ?? status.toLowerCase().replace('_', ' ')}</Badge>
            </span>
            <progress
              className="wide"
              max={100}
              value={status === 'SUCCEEDED' ? 100 : (percent ?? 0)}
              aria-label={`Progress of ${name}`}
            />
            {detail != null && <span className="muted small">{detail}</span>}
          </div>
        </li>
      ))}
    </ol>
  );
}
