import type { Config } from '../config/config.ts';
import type { VideoRow } from '../db/prisma.ts';
import type { SignedReadOptions } from '../storage/url-times.ts';

/**
 * The life of a URL of what is played: opened before its `expiresAt`, it plays to its end, with pauses of as
 * long as `signedUrlSeconds` altogether. Players ask for the pieces one after the other, and again wherever
 * somebody jumps.
 */
export function lifeOfPlayed(
  { signedUrlSeconds }: Pick<Config, 'signedUrlSeconds'>,
  lengthMs: number,
): SignedReadOptions {
  return { expiresInSeconds: signedUrlSeconds, playSeconds: lengthMs / 1000 + signedUrlSeconds };
}

/** The same for a video: while its length is not known, it may be as long as any. */
export function lifeOfVideo(
  config: Pick<Config, 'signedUrlSeconds' | 'maxVideoSeconds'>,
  { durationMs }: Pick<VideoRow, 'durationMs'>,
): SignedReadOptions {
  return lifeOfPlayed(config, durationMs === null ? config.maxVideoSeconds * 1000 : Number(durationMs));
}
