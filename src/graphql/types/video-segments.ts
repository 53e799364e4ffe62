import { findSegments, segmentCursorOf } from '../../jobs/find-segments.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageComplexity } from './connections.ts';
import { SegmentType } from './segment-ref.ts';
import { VideoType } from './video-ref.ts';

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
    resolve: async ({ id }, args, { actor, operation }) => {
      const page = await findSegments(operation.transaction, actor, id, args);
      const edges = page.rows.map((node) => ({ cursor: segmentCursorOf(node), node }));
      return connectionOf(page, edges);
    },
  }),
);
