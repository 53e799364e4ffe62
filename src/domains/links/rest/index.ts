import type { RestPart } from '../../../rest/route.ts';
import { linkRoutes } from './link-routes.ts';
import { searchRoutes } from './search-routes.ts';

/** What links add to the REST API. */
export const restPart: RestPart = { routes: [...linkRoutes, ...searchRoutes] };
