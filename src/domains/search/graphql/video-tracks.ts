import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';
import { VideoType } from '../../videos/api.ts';
import { storyboardUrl, textTrackUrl } from '../use-cases/video-tracks.ts';
import { hasStoryboardLoader } from './loaders.ts';

const VideoTrackType = builder.objectRef<SignedUrl>('VideoTrack').implement({
  description: 'A WebVTT file for players, for `<track src>`.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description:
        'Its signed URL. It needs no token, works from every origin, and stays the same for a while.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when to open it.' }),
  }),
});

builder.objectField(VideoType, 'textTrack', (t) =>
  t.field({
    type: VideoTrackType,
    nullable: true,
    description:
      'What was read in its pictures, a cue a segment: its id, time range, text and place. While the video is being read, as far as that is; null before the upload is complete.',
    resolve: (video, _args, { deps }) =>
      video.status === 'awaiting_upload' ? null : textTrackUrl(deps.jobs, video),
  }),
);

builder.objectField(VideoType, 'storyboard', (t) =>
  t.field({
    type: VideoTrackType,
    nullable: true,
    description:
      'Small pictures for a player’s bar: a cue for each time range names a picture and the place in it (`#xywh=`). Null until the pictures of the video have been sampled.',
    resolve: async (video, _args, context) =>
      (await loaderOf(context, hasStoryboardLoader).load(video.id))
        ? storyboardUrl(context.deps.jobs, video)
        : null,
  }),
);
