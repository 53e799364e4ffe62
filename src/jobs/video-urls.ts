import type { VideoRow } from '../db/prisma.ts';
import { proxyPrefix } from '../storage/video-keys.ts';
import type { JobsDeps } from './deps.ts';

/** Signed URLs of a video's files; null for what is not there (yet). */
export interface VideoUrls {
  readonly original: string | null;
  readonly playlist: string | null;
  readonly poster: string | null;
  readonly expiresAt: Date;
}

/** Signs the URLs of a video that the caller may see. */
export async function videoUrls(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  video: VideoRow,
): Promise<VideoUrls> {
  const seconds = config.signedUrlSeconds;
  const [original, playlist, poster] = await Promise.all([
    video.status === 'awaiting_upload' ? null : urls.get(video.originalKey, seconds),
    video.proxyKey === null ? null : urls.getBelow(proxyPrefix(video.id), video.proxyKey, seconds),
    video.thumbKey === null ? null : urls.get(video.thumbKey, seconds),
  ]);
  return {
    original: original?.url ?? null,
    playlist: playlist?.url ?? null,
    poster: poster?.url ?? null,
    expiresAt:
      [original, playlist, poster].find((url) => url != null)?.expiresAt ??
      new Date(Date.now() + seconds * 1000),
  };
}
