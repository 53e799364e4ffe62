import { DomainError } from '../core/errors.ts';
import { proxyPrefix, videoOfLivePlaylist } from '../storage/video-keys.ts';
import type { JobsDeps } from './deps.ts';
import { lifeOfVideo } from './url-life.ts';

/** A signed URL of what a run has published while it works. */
export interface ProgressPreview {
  readonly url: string;
  readonly expiresAt: Date;
}

/** Signs the URL of a preview; null where there is none, or its key is none of ours. */
export async function progressPreview(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  previewKey: string | null,
): Promise<ProgressPreview | null> {
  if (previewKey === null) return null;
  try {
    const videoId = videoOfLivePlaylist(previewKey);
    // A playlist is of no use without what it names.
    const { url, expiresAt } = await (videoId === null
      ? urls.get(previewKey, { expiresInSeconds: config.signedUrlSeconds })
      : urls.getBelow(proxyPrefix(videoId), previewKey, lifeOfVideo(config, { durationMs: null })));
    return { url, expiresAt };
  } catch (error) {
    // Handlers name keys; what they get wrong must not cost their tenant the rest of the job.
    if (error instanceof DomainError && error.code === 'InvalidKey') return null;
    throw error;
  }
}
