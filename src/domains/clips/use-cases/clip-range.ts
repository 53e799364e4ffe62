import { DomainError } from '../../../core/errors.ts';

/** A range within a video, in milliseconds from its start, and how much is added at either side. */
export interface ClipRange {
  readonly tStartMs: number;
  readonly tEndMs: number;
  readonly paddingMs: number;
}

/** The video system's contract. */
export const DEFAULT_PADDING_MS = 2_000;
const MAX_PADDING_MS = 60_000;

/** What a transport calls the fields, so that an error names what its caller has written. */
export type ClipFieldNames = Readonly<Record<keyof ClipRange | 'videoId' | 'callId', string>>;

export const CLIP_FIELDS: ClipFieldNames = {
  videoId: 'videoId',
  callId: 'callId',
  tStartMs: 'startMs',
  tEndMs: 'endMs',
  paddingMs: 'paddingMs',
};

/**
 * Checks a range against the limits and the video or call. An end behind the video's is taken: the clip ends
 * where the video does.
 * @param durationMs of the video; null while it is not known
 * @throws DomainError `InvalidArgument` naming the field
 */
export function checkClipRange(
  { tStartMs, tEndMs, paddingMs }: ClipRange,
  durationMs: number | null,
  maxClipSeconds: number,
  names: ClipFieldNames = CLIP_FIELDS,
  what: 'video' | 'call' = 'video',
): void {
  const isInside = durationMs === null || tStartMs < durationMs;
  const within = durationMs === null ? '' : `, below ${durationMs}, the length of the ${what}`;
  check(isWhole(tStartMs) && tStartMs >= 0 && isInside, names.tStartMs, tStartMs, `0 or more${within}`);
  check(isWhole(tEndMs) && tEndMs > tStartMs, names.tEndMs, tEndMs, `more than ${names.tStartMs}`);
  const isPadding = isWhole(paddingMs) && paddingMs >= 0 && paddingMs <= MAX_PADDING_MS;
  check(isPadding, names.paddingMs, paddingMs, `0 to ${MAX_PADDING_MS}`);
  const startMs = Math.max(0, tStartMs - paddingMs);
  const lengthMs = Math.min(tEndMs + paddingMs, durationMs ?? Number.POSITIVE_INFINITY) - startMs;
  if (lengthMs <= maxClipSeconds * 1000) return;
  const allowed = `a clip of at most ${maxClipSeconds * 1000} ms, with its padding`;
  throw new DomainError('InvalidArgument', `The clip would have ${lengthMs} ms; allowed: ${allowed}.`, {
    field: names.tEndMs,
    allowed,
  });
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value);
}

function check(ok: boolean, field: string, value: number, allowed: string): void {
  if (ok) return;
  throw new DomainError('InvalidArgument', `${field} is ${value}; allowed: whole milliseconds, ${allowed}.`, {
    field,
    allowed: `whole milliseconds, ${allowed}`,
  });
}
