import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { connectionOf, pageComplexity } from '../../../graphql/types/connections.ts';
import { VideoType } from '../../videos/api.ts';
import { findSegments, segmentCursorOf } from '../use-cases/find-segments.ts';
import { firstSegmentsLoader } from './loaders.ts';
import { SegmentType } from './segment-ref.ts';

const SegmentConnection = builder.connectionObject(
  { type: SegmentType, name: 'SegmentConnection', description: 'A page of texts, in the order of time.' },
  { name: 'SegmentEdge', description: 'A text with its cursor.' },
);

builder.objectField(VideoType, 'segments', (t) =>
  t.field({
    type: SegmentConnection,
    complexity: pageComplexity,
    description:
      'What was read in its pictures, in the order of time; while it is being read, as far as that is.',
    args: t.arg.connectionArgs(),
    resolve: async ({ id }, args, context) => {
      const from = { reads: context.operation.transaction, first: loaderOf(context, firstSegmentsLoader) };
      const page = await findSegments(from, context.actor, id, args);
      const edges = page.rows.map((node) => ({ cursor: segmentCursorOf(node), node }));
      return connectionOf(page, edges);
    },
  }),
);
