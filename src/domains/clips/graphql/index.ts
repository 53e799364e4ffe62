import './call-clips.ts';
import './clip.ts';
import './clip-changed.ts';
import './clip-changes.ts';
import './clip-file.ts';
import './clip-preview.ts';
import './clip-query.ts';
import './delete-clip.ts';
import './request-clip.ts';
import './video-clips.ts';
import { reachesPartOf } from '../../../core/reach.ts';
import type { ClipRow } from '../../../db/prisma.ts';
import { RECEIPT, VIDEOS } from '../../../graphql/access/type-scopes.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';

/** The types above, and who may see what of them. */
export const graphqlPart: GraphqlPart = {
  typeAccess: { Clip: { ...VIDEOS, open: RECEIPT }, ClipUpdated: VIDEOS },
  reach: {
    video: {
      roots: ['Query.clip', 'Subscription.clipChanged'],
      types: { Clip: 'all', ClipConnection: 'all', ClipEdge: 'all', ClipPreview: 'all' },
    },
  },
  rowChecks: { Clip: (reach, row) => reachesPartOf(reach, (row as ClipRow).videoId) },
  nodeScopes: { Clip: 'videos' },
};
