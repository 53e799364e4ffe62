import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { VideoType } from '../../videos/api.ts';
import { findClips } from '../use-cases/find-clips.ts';
import { ClipConnection } from './clip-connection.ts';
import { firstClipsLoader } from './loaders.ts';

builder.objectField(VideoType, 'clips', (t) =>
  t.field({
    type: ClipConnection,
    complexity: pageComplexity,
    description: 'Its clips, newest first, failed and expired ones too.',
    args: t.arg.connectionArgs(),
    resolve: async ({ id }, page, context) => {
      const from = { reads: context.operation.transaction, first: loaderOf(context, firstClipsLoader) };
      return toConnection(await findClips(from, context.actor, { videoId: id }, page));
    },
  }),
);
