import { flag } from './settings.ts';

/** Files about the runs of pipeline jobs, beside what the database keeps. */
export const PIPELINE_LOG_SETTINGS = {
  pipelineLogs: flag(
    'MILLRACE_PIPELINE_LOGS',
    'Workers write the runs and log lines of each pipeline job to `logs/pipeline/{job_id}.json` in the storage; see errors.md.',
    false,
  ),
} as const;
