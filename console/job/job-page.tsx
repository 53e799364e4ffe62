import '../styles/job.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { useCallback } from 'react';
import { useKeys } from '../frame/keys.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { neighboursOf } from '../jobs/last-list.ts';
import { NoPage } from '../parts/no-page.tsx';
import { DataTab } from './data-tab.tsx';
import { FilesTab } from './files-tab.tsx';
import { GoneJob } from './gone-job.tsx';
import { GraphTab } from './graph-tab.tsx';
import { JobHead } from './job-head.tsx';
import { JobLog, type LogAddress } from './job-log.tsx';
import { Overview } from './overview.tsx';
import { useJobDetail } from './use-job-detail.ts';

const TABS = [
  { name: 'overview', title: 'Overview' },
  { name: 'log', title: 'Log' },
  { name: 'data', title: 'Payload', rest: ' and result' },
  { name: 'files', title: 'Files' },
  { name: 'graph', title: 'Dependencies' },
] as const;

export function JobPage() {
  const { jobId } = useParams({ from: '/jobs/$jobId' });
  const { tab = 'overview', attempt, line } = useSearch({ from: '/jobs/$jobId' });
  const navigate = useNavigate({ from: '/jobs/$jobId' });
  const { job, error, refetch } = useJobDetail(jobId);
  usePageTitle(job == null ? 'Job' : `${job.definition.key} ${job.uuid.slice(-8)}`);
  const show = (name: string): void =>
    void navigate({ search: { tab: name === 'overview' ? undefined : name }, replace: true });
  const place = useCallback(
    (change: LogAddress) =>
      void navigate({ search: (before) => ({ ...before, tab: 'log', ...change }), replace: true }),
    [navigate],
  );
  const go = (id: string | undefined): void => {
    if (id !== undefined) void navigate({ to: '/jobs/$jobId', params: { jobId: id }, search: { tab } });
  };
  useKeys({
    l: () => show('log'),
    '[': () => go(neighboursOf(jobId).previous),
    ']': () => go(neighboursOf(jobId).next),
    Escape: () => void navigate({ to: '/jobs', search: {} }),
  });
  if (job == null)
    return (
      <NoPage title="Job" isGone={job === null} error={error} onRetry={() => void refetch()} list="/jobs">
        <GoneJob jobId={jobId} />
      </NoPage>
    );
  return (
    <div className="stack">
      <JobHead job={job} onChanged={() => void refetch()} />
      <Tabs.Root value={tab} onValueChange={show} className="stack" activationMode="manual">
        <Tabs.List className="tabs" aria-label="Of this job">
          {TABS.map(({ name, title, ...tab }) => (
            <Tabs.Trigger key={name} value={name}>
              <span>
                {title}
                {'rest' in tab && <span className="tab-rest">{tab.rest}</span>}
              </span>
              {name === 'graph' && job.dependsOn.length + job.dependents.length > 0 && (
                <span className="count">{job.dependsOn.length + job.dependents.length}</span>
              )}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="overview">
          <Overview job={job} />
        </Tabs.Content>
        <Tabs.Content value="log">
          <JobLog
            jobId={job.uuid}
            isFinal={job.isFinal}
            runNo={attempt === undefined ? null : Number(attempt)}
            place={line}
            onChange={place}
          />
        </Tabs.Content>
        <Tabs.Content value="data">
          <DataTab jobId={job.id} isFinal={job.isFinal} />
        </Tabs.Content>
        <Tabs.Content value="files">
          <FilesTab jobId={job.id} isFinal={job.isFinal} />
        </Tabs.Content>
        <Tabs.Content value="graph">
          <GraphTab job={job} />
        </Tabs.Content>
      </Tabs.Root>
    </div>
  );
}
