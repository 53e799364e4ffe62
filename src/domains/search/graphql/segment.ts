import { builder } from '../../../graphql/builder.ts';
import { loaderOf } from '../../../graphql/context.ts';
import { written } from '../../../graphql/mutations/write.ts';
import type { TextWord } from '../../../text/text-line.ts';
import { VideoType, videoLoader } from '../../videos/api.ts';
import { segmentThumbnail, segmentWords } from '../use-cases/segment-words.ts';
import { storedBox } from '../use-cases/stored-box.ts';
import { entitiesOfSegmentLoader, segmentLoader } from './loaders.ts';
import { PixelBoxType } from './pixel-box.ts';
import { SegmentEntityType } from './segment-entity.ts';
import { SegmentType } from './segment-ref.ts';

export const SegmentWordType = builder.objectRef<TextWord>('SegmentWord').implement({
  description: 'A word that was read in a picture.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'What was read.' }),
    confidence: t.exposeFloat('confidence', { description: 'How sure the reader was, 0 to 1.' }),
    box: t.field({ type: PixelBoxType, description: 'Its place in the picture.', resolve: (word) => word }),
  }),
});

builder.node(SegmentType, {
  description: 'A line of text that a video shows for a while.',
  id: { resolve: (segment) => segment.id, description: 'Global id.' },
  loadMany: (ids, context) => ids.map((id) => loaderOf(context, segmentLoader).load(id)),
  fields: (t) => ({
    uuid: t.expose('id', { type: 'UUID', description: 'The plain key, as SQL and logs have it.' }),
    video: t.field({
      type: VideoType,
      description: 'The video that shows it.',
      resolve: ({ videoId }, _args, context) =>
        written(loaderOf(context, videoLoader).load(videoId), `Video ${videoId}`),
    }),
    text: t.exposeString('text', { description: 'The text.' }),
    // Within a week, as videos are, so these fit an Int.
    startMs: t.int({
      description: 'When the video begins to show it.',
      resolve: ({ tStart }) => Number(tStart),
    }),
    endMs: t.int({ description: 'When it ends showing it.', resolve: ({ tEnd }) => Number(tEnd) }),
    frameMs: t.int({
      description: 'Which of the kept frames it was read in.',
      resolve: ({ frameMs }) => Number(frameMs),
    }),
    confidence: t.exposeFloat('confidence', { description: 'How sure the reader was, 0 to 1.' }),
    language: t.exposeString('language', { description: 'Its language, as Tesseract names it: `eng`.' }),
    box: t.field({
      type: PixelBoxType,
      nullable: true,
      description: 'Its place in the picture.',
      resolve: ({ boundingBox }) => storedBox(boundingBox),
    }),
    words: t.field({
      type: [SegmentWordType],
      complexity: { field: 1, multiplier: 8 },
      description: 'Its words.',
      resolve: segmentWords,
    }),
    entities: t.field({
      type: [SegmentEntityType],
      description: 'What was recognised in it; nothing until the whole video has been read.',
      resolve: ({ id }, _args, context) => loaderOf(context, entitiesOfSegmentLoader).load(id),
    }),
    thumbnailUrl: t.string({
      description:
        'Signed URL of the kept frame, a JPEG; it needs no token, and ends at `thumbnailUrlExpiresAt`.',
      resolve: async (segment, _args, { deps }) => (await segmentThumbnail(deps.jobs, segment)).url,
    }),
    thumbnailUrlExpiresAt: t.field({
      type: 'DateTime',
      description: 'Until when `thumbnailUrl` is good.',
      resolve: async (segment, _args, { deps }) => (await segmentThumbnail(deps.jobs, segment)).expiresAt,
    }),
  }),
});
