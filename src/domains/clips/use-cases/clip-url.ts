import type { JobsDeps } from '../../../jobs/deps.ts';
import { lifeOfPlayed } from '../../../jobs/url-life.ts';
import { fileNameOf } from '../../../storage/content-disposition.ts';
import type { SignedUrl } from '../../../storage/url-signer.ts';

/** A clip that is ready, and what names its file for people. */
export interface ClipFile {
  readonly key: string;
  /** When the clip goes; null for never. */
  readonly expiresAt: Date | null;
  /** The title of the video or call. */
  readonly title: string;
  /** The range that was asked for, within it. */
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * A signed URL of a clip's file, good for as long as any of what is played but no longer than the clip; null
 * when its time is up.
 */
export async function clipUrl(
  { urls, config }: Pick<JobsDeps, 'urls' | 'config'>,
  { key, expiresAt, title, startMs, endMs }: ClipFile,
): Promise<SignedUrl | null> {
  if (expiresAt !== null && expiresAt.getTime() - Date.now() < 1000) return null;
  return await urls.get(key, {
    ...lifeOfPlayed(config, endMs - startMs),
    fileName: fileNameOf(title, key, `${clock(startMs)}-${clock(endMs)}`),
    ...(expiresAt !== null && { notAfter: expiresAt }),
  });
}

/** `00.01.02.500`: file names take no colons everywhere. */
function clock(ms: number): string {
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  return `${hours}.${minutes}.${seconds}.${String(ms % 1000).padStart(3, '0')}`;
}
