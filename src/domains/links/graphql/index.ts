import './link.ts';
import './link-changed.ts';
import './link-mutations.ts';
import './link-queries.ts';
import './search-links.ts';
import { JOBS, RECEIPT } from '../../../graphql/access/type-scopes.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';

/** The types above, and who may see what of them. */
export const graphqlPart: GraphqlPart = {
  typeAccess: {
    Link: { ...JOBS, open: RECEIPT },
    LinkHit: JOBS,
    LinkSearch: JOBS,
    SimilarLink: JOBS,
  },
  subjectTypes: { link: 'Link' },
};
