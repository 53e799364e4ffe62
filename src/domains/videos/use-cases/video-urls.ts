import type { VideoRow } from '../../../db/prisma.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { lifeOfVideo } from '../../../jobs/url-life.ts';
import { fileNameOf } from '../../../storage/content-disposition.ts';
import type { SignedGetOptions } from '../../../storage/url-signer.ts';
import { urlTimes } from '../../../storage/url-times.ts';
import { proxyPrefix, videoOfLivePlaylist } from '../../../storage/video-keys.ts';
import { VIDEO_CONTENT_TYPES } from '../uploads/video-content-types.ts';

/** Signed URLs of a video's files; null for what is not there (yet). */
export interface VideoUrls {
  readonly original: string | null;
  readonly playlist: string | null;
  readonly poster: string | null;
  readonly expiresAt: Date;
}

/**
 * Signs the URLs of a video that the caller may see. While its first stream is being made, the playlist is
 * the growing one of the run that is making it; once there is a published one, that stays the playlist,
 * whatever is made again.
 * @param preview what the run at work on the video shows of it, by the progress that the database has of that
 *   run
 */
export async function videoUrls(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  video: VideoRow,
  preview: () => Promise<string | null>,
): Promise<VideoUrls> {
  const life = lifeOfVideo(config, video);
  const playlistKey = await playlistOf(video, preview);
  const [original, playlist, poster] = await Promise.all([
    video.status === 'awaiting_upload'
      ? null
      : urls.get(video.originalKey, { ...life, ...originalFile(video) }),
    playlistKey === null ? null : urls.getBelow(proxyPrefix(video.id), playlistKey, life),
    video.thumbKey === null ? null : urls.get(video.thumbKey, { expiresInSeconds: config.signedUrlSeconds }),
  ]);
  const ends = [original, playlist, poster].flatMap((url) => (url === null ? [] : [url.expiresAt.getTime()]));
  if (ends.length === 0) ends.push(urlTimes(video.id, life, Date.now()).expiresAt.getTime());
  return {
    original: original?.url ?? null,
    playlist: playlist?.url ?? null,
    poster: poster?.url ?? null,
    expiresAt: new Date(Math.min(...ends)),
  };
}

/**
 * How an original is served: by its declared type where that is a video's, as its extension says otherwise.
 */
function originalFile({
  title,
  originalKey,
  contentType,
}: VideoRow): Omit<SignedGetOptions, 'expiresInSeconds'> {
  return {
    fileName: fileNameOf(title, originalKey),
    ...(contentType !== null && VIDEO_CONTENT_TYPES.has(contentType.toLowerCase()) && { contentType }),
  };
}

/**
 * The playlist of a video as it is: the published one, else the growing one of the run that is making it;
 * null where there is none.
 */
export async function playlistOf(
  video: VideoRow,
  preview: () => Promise<string | null>,
): Promise<string | null> {
  return video.proxyKey ?? (isInWork(video) ? ofVideo(video, await preview()) : null);
}

function isInWork({ status }: VideoRow): boolean {
  return status === 'uploaded' || status === 'processing';
}

/** A live playlist of this very video, and no other key: a whole folder is about to be opened for it. */
function ofVideo({ id }: VideoRow, previewKey: string | null): string | null {
  return previewKey !== null && videoOfLivePlaylist(previewKey) === id ? previewKey : null;
}
