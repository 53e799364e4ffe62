/** What `millrace/react` offers. Whatever is exported here stays compatible within a major version. */
'use client';

export type { MillraceProviderProps } from './provider.ts';
export { MillraceProvider, useMillrace } from './provider.ts';
export type { UseJob } from './use-job.ts';
export { useJob } from './use-job.ts';
export type { UseJobLog } from './use-job-log.ts';
export { useJobLog } from './use-job-log.ts';
export type { UseJobs } from './use-jobs.ts';
export { useJobs } from './use-jobs.ts';
