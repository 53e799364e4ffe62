import type { RestRoute } from '../route.ts';
import { definitionRoutes } from './definitions.ts';
import { artifactRoutes } from './job-artifacts.ts';
import { attemptRoutes } from './job-attempts.ts';
import { jobChangeRoutes } from './job-changes.ts';
import { logRoutes } from './job-log.ts';
import { statisticsRoutes } from './job-statistics.ts';
import { summaryRoutes } from './job-summary.ts';
import { jobRoutes } from './jobs.ts';
import { operateJobRoutes } from './operate-jobs.ts';
import { workerRoutes } from './workers.ts';

/** The engine's own routes; domains bring theirs. */
export const ENGINE_ROUTES: readonly RestRoute[] = [
  ...jobRoutes,
  ...operateJobRoutes,
  ...jobChangeRoutes,
  ...attemptRoutes,
  ...artifactRoutes,
  ...summaryRoutes,
  ...statisticsRoutes,
  ...logRoutes,
  ...definitionRoutes,
  ...workerRoutes,
];
