import { crc32 } from 'node:zlib';
import { DomainError } from '../core/errors.ts';

/**
 * How long a URL for reading is good. Asked for again within half of `expiresInSeconds`, the URL is the same
 * to the letter: players go on, and caches know it. What is handed out has between half of the time and all
 * of it.
 */
export interface SignedReadOptions {
  readonly expiresInSeconds: number;
  /** Seconds that it goes on behind `expiresAt`, for what takes that long to play. Default: 0. */
  readonly playSeconds?: number;
  /** It ends by then, whatever the other two say. */
  readonly notAfter?: Date;
}

export interface UrlTimes {
  /** When its window began, in seconds since 1970: not in the future. */
  readonly startsAtSeconds: number;
  /** From when on it is refused, in seconds since 1970. */
  readonly endsAtSeconds: number;
  /** What its users are to go by. */
  readonly expiresAt: Date;
}

/** AWS's own limit for presigned URLs; nobody gets used to more than the S3 driver can give. */
const MAX_EXPIRY_SECONDS = 7 * 24 * 3600;

/**
 * The times of a URL for reading, the same for every call of one window.
 * @param about what it is for. The windows of different things begin at different times, so that not all URLs
 *   of an installation end at once
 * @throws DomainError `InvalidArgument`
 */
export function urlTimes(
  about: string,
  { expiresInSeconds, playSeconds = 0, notAfter }: SignedReadOptions,
  nowMs: number,
): UrlTimes {
  const windowSeconds = Math.ceil(checkExpiry(expiresInSeconds) / 2);
  const nowSeconds = Math.floor(nowMs / 1000);
  const startsAtSeconds = nowSeconds - ((nowSeconds + crc32(about)) % windowSeconds);
  const latestSeconds =
    notAfter === undefined ? Number.POSITIVE_INFINITY : Math.floor(notAfter.getTime() / 1000);
  const within = (seconds: number): number =>
    Math.min(startsAtSeconds + Math.min(seconds, MAX_EXPIRY_SECONDS), latestSeconds);
  return {
    startsAtSeconds,
    endsAtSeconds: within(expiresInSeconds + Math.ceil(playSeconds)),
    expiresAt: new Date(within(expiresInSeconds) * 1000),
  };
}

/** @throws DomainError `InvalidArgument` */
export function checkExpiry(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_EXPIRY_SECONDS) return seconds;
  const allowed = `1 to ${MAX_EXPIRY_SECONDS} s`;
  throw new DomainError('InvalidArgument', `Expiry of ${seconds} s; allowed: ${allowed}`, {
    field: 'expiresInSeconds',
    allowed,
  });
}
