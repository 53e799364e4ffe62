import type { RestRoute } from '../route.ts';
import { jobRoutes } from './jobs.ts';
import { operateJobRoutes } from './operate-jobs.ts';

/** The engine's own routes; domains bring theirs. */
export const ENGINE_ROUTES: readonly RestRoute[] = [...jobRoutes, ...operateJobRoutes];
