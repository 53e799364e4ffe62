import type { RestPart } from '../../../rest/route.ts';
import { eventRoutes } from './events.ts';
import { triggerRoutes } from './triggers.ts';

/** What triggers and events add to the REST API. */
export const restPart: RestPart = { routes: [...triggerRoutes, ...eventRoutes] };
