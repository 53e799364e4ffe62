import { MessageSquareText } from 'lucide-react';
import { At, WithTimes } from '../parts/when.tsx';
import { Attempts } from './attempts.tsx';
import { Timeline } from './timeline.tsx';
import type { Detail } from './use-job-detail.ts';
import { WhyWaiting } from './why-waiting.tsx';

export function Overview({ job }: { readonly job: Detail }) {
  return (
    <div className="columns">
      <div className="stack">
        <WhyWaiting job={job} />
        {job.progress !== null && !job.isFinal && <Progress job={job} />}
        {(job.error !== null || job.reason !== null) && (
          <div className={`note ${job.error === null ? '' : 'bad'}`}>
            <MessageSquareText aria-hidden="true" size={18} />
            <div>
              {job.error !== null && (
                <p>
                  <strong>{job.error.type}</strong> {job.error.message}
                </p>
              )}
              {job.reason !== null && (
                <p>
                  <WithTimes text={job.reason} />
                </p>
              )}
            </div>
          </div>
        )}
        <Timeline job={job} />
        <Attempts attempts={job.attempts} />
      </div>
      <Facts job={job} />
    </div>
  );
}

function Progress({ job }: { readonly job: Detail }) {
  const { percent, stage, message, etaSeconds } = job.progress ?? {
    percent: null,
    stage: null,
    message: null,
    etaSeconds: null,
  };
  return (
    <section className="card" aria-label="Progress">
      <div className="card-body tight">
        <p className="row">
          <strong className="num">{percent === null ? 'Running' : `${Math.round(percent)} %`}</strong>
          <span className="muted grow">{[stage, message].filter(Boolean).join(': ')}</span>
          {etaSeconds !== null && <span className="muted num">{Math.ceil(etaSeconds)} s left</span>}
        </p>
        <progress className="wide" max={100} value={percent ?? undefined} aria-label="Progress" />
      </div>
    </section>
  );
}

function Facts({ job }: { readonly job: Detail }) {
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    ['Enqueued', <At key="0" at={job.createdAt} />],
    ['By', job.createdBy ?? '–'],
    ['Source', [job.source.toLowerCase(), job.sourceRef].filter(Boolean).join(' ')],
    ['Not before', <At key="1" at={job.scheduledFor} />],
    ['Started', <At key="2" at={job.startedAt} />],
    ['Finished', <At key="3" at={job.finishedAt} />],
    ['Priority', job.priority],
    ['Failed runs', `${job.attemptCount} of ${job.maxAttempts}`],
    ['Worker', job.worker ?? '–'],
    ['Lost leases', job.lostLeaseCount],
    ['Dedupe key', job.dedupeKey ?? '–'],
    ['Time limit', job.timeoutSeconds === null ? 'of the definition' : `${job.timeoutSeconds} s`],
    ['Expires', <At key="4" at={job.expiresAt} />],
  ];
  return (
    <section className="card" aria-labelledby="facts">
      <header className="card-head">
        <h2 id="facts">Facts</h2>
      </header>
      <dl className="facts card-body">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
