import './call.ts';
import './call-changed.ts';
import './call-changes.ts';
import './calls.ts';
import './delete-call.ts';
import './search-calls.ts';
import './submit-call.ts';
import { RECEIPT, VIDEOS } from '../../../graphql/access/type-scopes.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';

/** The types above, and who may see what of them: the scopes of videos are those of recordings, too. */
export const graphqlPart: GraphqlPart = {
  typeAccess: { Call: { ...VIDEOS, open: RECEIPT }, CallHit: VIDEOS, CallUpdated: VIDEOS },
  nodeScopes: { Call: 'videos' },
  subjectTypes: { call: 'Call' },
};
