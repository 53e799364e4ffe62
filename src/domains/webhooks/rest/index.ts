import type { RestPart } from '../../../rest/route.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { sourceRoutes } from './source-routes.ts';

export const restPart: RestPart = { routes: [...endpointRoutes, ...sourceRoutes] };
