import { integer, number } from './settings.ts';

/** How the pictures of videos are looked at and their texts read, for videos that say nothing themselves. */
export const PROCESSING_SETTINGS = {
  targetFps: number(
    'MILLRACE_TARGET_FPS',
    'Pictures a second of a video that are looked at for texts.',
    10,
    0.1,
    60,
  ),
  dedupeThreshold: number(
    'MILLRACE_DEDUPE_THRESHOLD',
    'Pictures that are as similar as this, or more, to one that is kept are left out: 0 to 1.',
    0.95,
    0,
    1,
  ),
  maxFramesPerMinute: integer(
    'MILLRACE_MAX_FRAMES_PER_MINUTE',
    'Pictures of each minute of a video that are kept at most.',
    60,
    1,
    3600,
  ),
  minConfidence: number(
    'MILLRACE_MIN_CONFIDENCE',
    'Words that are read with less confidence than this are left out: 0 to 1.',
    0.6,
    0,
    1,
  ),
} as const;
