import { jobLogFile } from '../../jobs/job-log-file.ts';
import type { SignedUrl } from '../../storage/url-signer.ts';
import { builder } from '../builder.ts';
import { loadersOf } from '../context.ts';
import { JobType } from './job.ts';

const JobLogFileType = builder.objectRef<SignedUrl>('JobLogFile').implement({
  description: 'The file in the storage that describes a job’s runs: JSON.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Signed URL of it; it needs no token.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when `url` is good.' }),
  }),
});

builder.objectField(JobType, 'logFile', (t) =>
  t.field({
    type: JobLogFileType,
    nullable: true,
    // The store is asked about each.
    complexity: 5,
    description:
      'Its log file, for tenant admins. Null before a run has ended, for jobs outside the video pipeline, and where none are written (`MILLRACE_PIPELINE_LOGS`).',
    // The use-case asks for the role: a scope can only say `member`.
    resolve: async (job, _args, context) => {
      if (job.runNo === 0) return null;
      const definition = await loadersOf(context).definition.load(job.definitionId);
      return jobLogFile(context.deps.jobs, context.actor, job.id, definition?.key ?? '');
    },
  }),
);
