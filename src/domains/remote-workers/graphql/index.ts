import './claim-jobs.ts';
import './run-verbs.ts';
import './end-verbs.ts';
import './file-verbs.ts';
import type { TypeAccess } from '../../../graphql/access/access-types.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';

/** A worker writes what becomes of jobs. */
const WORK: TypeAccess = { anyOf: ['jobs:write'] };

export const graphqlPart: GraphqlPart = {
  typeAccess: { ClaimedJob: WORK, JobLease: WORK, JobFile: WORK },
};
