import { Link } from '@tanstack/react-router';
import type { Video } from '../../src/client/index.ts';
import type { VideoDetailResult } from '../api/operations.gen.ts';
import { Stages } from '../parts/stages.tsx';
import { StatusBadge } from '../parts/status.tsx';

type Jobs = NonNullable<VideoDetailResult['video']>['jobs'];

const NAMES = {
  TRANSCODE: 'Transcode',
  SAMPLE: 'Pick pictures',
  OCR: 'Read texts',
  SEGMENT_INDEX: 'Index',
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
      <Stages
        stages={stages.map(({ stage, status, percent: of }) => ({
          name: NAMES[stage as keyof typeof NAMES] ?? stage,
          status,
          percent: of,
        }))}
      />
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
