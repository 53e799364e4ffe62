import './search-hit.ts';
import './search-videos.ts';
import './segment.ts';
import './segment-entity.ts';
import './video-segments.ts';
import './video-tracks.ts';
import { reachesPartOf } from '../../../core/reach.ts';
import type { SegmentRow } from '../../../db/prisma.ts';
import { VIDEOS } from '../../../graphql/access/type-scopes.ts';
import type { GraphqlPart } from '../../../graphql/part.ts';

/** The types above, and who may see what of them. */
export const graphqlPart: GraphqlPart = {
  typeAccess: {
    SearchConnection: VIDEOS,
    SearchEdge: VIDEOS,
    SearchHit: VIDEOS,
    Segment: VIDEOS,
    VideoTrack: VIDEOS,
  },
  reach: {
    video: {
      types: {
        PixelBox: 'all',
        Segment: 'all',
        SegmentConnection: 'all',
        SegmentEdge: 'all',
        SegmentEntity: 'all',
        SegmentWord: 'all',
        VideoTrack: 'all',
      },
    },
  },
  rowChecks: { Segment: (reach, row) => reachesPartOf(reach, (row as SegmentRow).videoId) },
  nodeScopes: { Segment: 'videos' },
};
