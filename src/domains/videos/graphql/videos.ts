import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { uuidOf } from '../../../graphql/ids.ts';
import { pageComplexity, toConnection } from '../../../graphql/types/connections.ts';
import { creatorOf } from '../../../jobs/creator-filter.ts';
import { readVideo } from '../../../jobs/read-one.ts';
import { findVideos } from '../use-cases/find-videos.ts';
import { VideoStatusEnum } from './enums.ts';
import { videoLoader } from './loaders.ts';
import { VideoConnection } from './video-connection.ts';
import { VideoType } from './video-ref.ts';

const VideoFilterInput = builder.inputType('VideoFilter', {
  description: 'Which videos; what is omitted does not matter.',
  fields: (t) => ({
    statuses: t.field({ type: [VideoStatusEnum], description: 'One of these.' }),
    title: t.string({ description: 'Whose title has this text in it, in whatever case.' }),
    createdBy: t.string({ description: 'Made by: `user:<sub>`, `key:<id>`.' }),
    createdByMe: t.boolean({ description: 'Made by the caller; in place of `createdBy`.' }),
    team: t.string({ description: 'Only videos of this team.' }),
    createdAfter: t.field({ type: 'DateTime', description: 'Made at or after.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Made before.' }),
  }),
});

builder.queryField('video', (t) =>
  t.field({
    type: VideoType,
    nullable: true,
    authScopes: { videos: true },
    description: 'One video; null when it is not there or belongs to another tenant.',
    args: { id: t.arg.id({ required: true, description: 'Its global id, or its UUID.' }) },
    resolve: (_root, { id }, context) =>
      readVideo(loaderOf(context, videoLoader), context.actor, uuidOf('Video', id)),
  }),
);

builder.queryField('videos', (t) =>
  t.field({
    type: VideoConnection,
    nullable: true,
    authScopes: { videos: true },
    complexity: pageComplexity,
    description: 'Videos, newest first.',
    args: {
      ...t.arg.connectionArgs(),
      filter: t.arg({ type: VideoFilterInput, description: 'Which ones.' }),
    },
    resolve: async (_root, { filter, ...page }, { actor, operation }) => {
      const { createdBy, createdByMe, ...rest } = filter ?? {};
      const asked = { ...rest, createdBy: creatorOf(createdBy, createdByMe, actor) };
      return toConnection(await findVideos(operation.transaction, actor, asked, page));
    },
  }),
);
