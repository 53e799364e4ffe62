import type { RestPart } from '../../../rest/route.ts';
import { analysis, artifacts, transcript } from './parts.ts';
import { complete, get, list, remove, submit } from './routes.ts';
import { search } from './search.ts';

/** What calls add to the REST API. */
export const restPart: RestPart = {
  routes: [list, submit, search, get, complete, remove, transcript, analysis, artifacts],
};
