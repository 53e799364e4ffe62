import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { livePreviewOf, videoLoader } from '../../videos/api.ts';
import { type ClipPreview, clipPreview } from '../use-cases/clip-preview.ts';
import { ClipType } from './clip-ref.ts';

const ClipPreviewType = builder.objectRef<ClipPreview>('ClipPreview').implement({
  description: 'A clip’s range out of the video’s stream, to be watched before the clip is made.',
  fields: (t) => ({
    playlistUrl: t.string({
      description:
        'Signed URL of an HLS playlist of the segments that show the range; it begins to play at `startMs`. It needs no token.',
      resolve: ({ playlist }) => playlist.url,
    }),
    startMs: t.exposeInt('startMs', { description: 'Where the range begins within the video.' }),
    endMs: t.exposeInt('endMs', {
      description: 'Where it ends. The last segment goes on for some seconds: the player is to stop here.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'Until when `playlistUrl` and what it names are good.',
      resolve: ({ playlist }) => playlist.expiresAt,
    }),
  }),
});

builder.objectField(ClipType, 'preview', (t) =>
  t.field({
    type: ClipPreviewType,
    nullable: true,
    description:
      'The same range out of the video’s stream, at once and in its quality; null while the video has none, and of a call.',
    resolve: async (clip, _args, context) => {
      if (clip.videoId === null) return null;
      const video = await loaderOf(context, videoLoader).load(clip.videoId);
      if (video === null) return null;
      return clipPreview(context.deps.jobs, clip, video, livePreviewOf(video, context));
    },
  }),
);
