import { findClips } from '../../jobs/find-clips.ts';
import { builder } from '../builder.ts';
import { ClipConnection, pageComplexity, toConnection } from './connections.ts';
import { VideoType } from './video-ref.ts';

builder.objectField(VideoType, 'clips', (t) =>
  t.field({
    type: ClipConnection,
    complexity: pageComplexity,
    description: 'Its clips, newest first, failed and expired ones too.',
    args: t.arg.connectionArgs(),
    resolve: async ({ id }, page, { actor, operation }) =>
      toConnection(await findClips(operation.transaction, actor, id, page)),
  }),
);
