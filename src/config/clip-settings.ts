import { integer } from './settings.ts';

/** How long clips may be, and how long they are kept. */
export const CLIP_SETTINGS = {
  maxClipSeconds: integer(
    'MILLRACE_MAX_CLIP_SECONDS',
    'Longest clip that may be asked for, with the padding at both sides; see clips.md.',
    600,
    1,
    21_600,
  ),
  clipRetentionDays: integer(
    'MILLRACE_CLIP_RETENTION_DAYS',
    'Days that a clip is kept after it was made; asked for again, it is made again. 0 keeps clips forever.',
    30,
    0,
    36_500,
  ),
} as const;
