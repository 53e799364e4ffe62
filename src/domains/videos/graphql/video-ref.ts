import type { VideoRow } from '../../../db/prisma.ts';
import { builder } from '../../../graphql/builder.ts';

/**
 * A job names its video and a video its jobs; the reference stands apart so that neither file imports the
 * other.
 */
export const VideoType = builder.objectRef<VideoRow>('Video');
