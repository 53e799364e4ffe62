import { isUuid } from '../../../core/ids.ts';
import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { JobType } from '../../../graphql/types/job.ts';
import { videoLoader } from './loaders.ts';
import { VideoType } from './video-ref.ts';

builder.objectField(JobType, 'video', (t) =>
  t.field({
    type: VideoType,
    nullable: true,
    authScopes: { videos: true },
    description: 'The video it is about, where it is about one.',
    resolve: ({ subjectType, subjectId }, _args, context) =>
      subjectType === 'video' && subjectId !== null && isUuid(subjectId)
        ? loaderOf(context, videoLoader).load(subjectId)
        : null,
  }),
);
