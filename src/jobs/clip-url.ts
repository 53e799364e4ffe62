import type { SignedUrl } from '../storage/url-signer.ts';
import type { JobsDeps } from './deps.ts';

/**
 * A signed URL of a clip's file, good for as long as any signed URL but no longer than the clip; null when its time is up.
 * @param expiresAt when the clip goes; null for never
 */
export async function clipUrl(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  key: string,
  expiresAt: Date | null,
): Promise<SignedUrl | null> {
  const leftSeconds =
    expiresAt === null ? Number.POSITIVE_INFINITY : Math.floor((expiresAt.getTime() - Date.now()) / 1000);
  if (leftSeconds < 1) return null;
  return await urls.get(key, Math.min(config.signedUrlSeconds, leftSeconds));
}
