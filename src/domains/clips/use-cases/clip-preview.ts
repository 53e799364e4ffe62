import type { ClipRow, VideoRow } from '../../../db/prisma.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { lifeOfPlayed } from '../../../jobs/url-life.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';
import { playlistOf } from '../../videos/api.ts';

/** What shows a clip's range before the clip is made. */
export interface ClipPreview {
  readonly playlist: SignedUrl;
  /** From the start of the video. */
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The range of a clip within its video's HLS stream; null while the video has none, not even one that is
 * being made.
 * @param preview as of `videoUrls`
 */
export async function clipPreview(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  clip: Pick<ClipRow, 'tStartMs' | 'tEndMs' | 'paddingMs'>,
  video: VideoRow,
  preview: () => Promise<string | null>,
): Promise<ClipPreview | null> {
  const key = await playlistOf(video, preview);
  if (key === null) return null;
  const { durationMs } = video;
  const lengthMs = durationMs === null ? Number.POSITIVE_INFINITY : Number(durationMs);
  const startMs = Math.max(0, Number(clip.tStartMs) - Number(clip.paddingMs));
  const endMs = Math.min(Number(clip.tEndMs) + Number(clip.paddingMs), lengthMs);
  // A new original under the old proxy may be shorter.
  if (startMs >= endMs) return null;
  const playlist = await urls.getPart(key, { startMs, endMs }, lifeOfPlayed(config, endMs - startMs));
  return { playlist, startMs, endMs };
}
