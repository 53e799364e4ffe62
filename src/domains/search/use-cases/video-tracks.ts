import type { VideoRow } from '../../../db/prisma.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { lifeOfVideo } from '../../../jobs/url-life.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';
import { storyboardKey, storyboardPrefix } from '../../../storage/video-keys.ts';

/**
 * Signs the URL of the WebVTT track of what was read in a video that the caller may see. While the video is
 * being read, the track has what was read so far.
 */
export function textTrackUrl(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  video: Pick<VideoRow, 'id' | 'tenantId' | 'durationMs'>,
): Promise<SignedUrl> {
  return urls.getTextTrack({ tenantId: video.tenantId, videoId: video.id }, lifeOfVideo(config, video));
}

/** Signs the URL of the track of a video's storyboard, which is there, and of all pictures that it names. */
export function storyboardUrl(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  video: Pick<VideoRow, 'id' | 'durationMs'>,
): Promise<SignedUrl> {
  return urls.getBelow(storyboardPrefix(video.id), storyboardKey(video.id), lifeOfVideo(config, video));
}
