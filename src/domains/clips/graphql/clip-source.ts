import type { CallRow, ClipRow, VideoRow } from '../../../db/prisma.ts';
import { type GraphqlContext, loaderOf } from '../../../graphql/context.ts';
import { callLoader } from '../../calls/api.ts';
import { videoLoader } from '../../videos/api.ts';

/** The video or call that a clip is a piece of; null once that is gone. */
export async function sourceOf(
  { videoId, callId }: ClipRow,
  context: GraphqlContext,
): Promise<VideoRow | CallRow | null> {
  if (videoId !== null) return await loaderOf(context, videoLoader).load(videoId);
  return callId === null ? null : await loaderOf(context, callLoader).load(callId);
}
