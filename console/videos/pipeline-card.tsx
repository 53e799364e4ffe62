import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { Video } from '../../src/client/index.ts';
import type { VideoDetailResult } from '../api/operations.gen.ts';
import { Badge, StatusBadge } from '../parts/status.tsx';

type Jobs = NonNullable<VideoDetailResult['video']>['jobs'];

const NAMES = {
  TRANSCODE: 'Transcode',
  SAMPLE: 'Pick pictures',
  OCR: 'Read texts',
  SEGMENT_INDEX: 'Index',
} as const;
const TONES = {
  SUCCEEDED: 'ok',
  FAILED: 'bad',
  CANCELED: 'warn',
  RUNNING: 'info',
  QUEUED: 'idle',
  WAITING: 'idle',
} as const;

/** The stages of the work on a video, from left to right, and its jobs. */
export function PipelineCard({ video, jobs }: { readonly video: Video; readonly jobs: Jobs }) {
  if (video.pipeline === null)
    return jobs === null || jobs.length === 0 ? null : (
      <section className="card" aria-labelledby="jobs">
        <header className="card-head">
          <h2 id="jobs">Jobs</h2>
        </header>
        <StageJobs jobs={jobs} />
      </section>
    );
  const { stages, percent, etaSeconds } = video.pipeline;
  return (
    <section className="card" aria-labelledby="pipeline">
      <header className="card-head">
        <h2 id="pipeline">Pipeline</h2>
        <span className="muted small num">
          {Math.round(percent)} %{etaSeconds !== null && `, ${Math.ceil(etaSeconds)} s left`}
        </span>
      </header>
      <ol className="stages">
        {stages.map(({ stage, status, percent: of }, index) => (
          <li key={stage}>
            {index > 0 && <ChevronRight aria-hidden="true" size={16} className="stage-arrow" />}
            <div className="stage">
              <span className="row">
                <strong>{NAMES[stage as keyof typeof NAMES] ?? stage}</strong>
                <Badge tone={TONES[status]}>{status.toLowerCase()}</Badge>
              </span>
              <progress
                className="wide"
                max={100}
                value={status === 'SUCCEEDED' ? 100 : (of ?? 0)}
                aria-label={`Progress of ${stage.toLowerCase()}`}
              />
            </div>
          </li>
        ))}
      </ol>
      <StageJobs jobs={jobs} />
    </section>
  );
}

function StageJobs({ jobs }: { readonly jobs: Jobs }) {
  if (jobs === null || jobs.length === 0) return null;
  return (
    <ul className="stage-jobs">
      {jobs.map((job) => (
        <li key={job.id}>
          <Link to="/jobs/$jobId" params={{ jobId: job.uuid }} search={{}}>
            {job.definition.key}
          </Link>{' '}
          <StatusBadge status={job.status} />
        </li>
      ))}
    </ul>
  );
}
