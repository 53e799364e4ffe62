import { Type } from '../../../core/payload-type.ts';

/** What a video itself says of how it is processed, on its way through the stages. */
export const TARGET_FPS = Type.Number({ minimum: 0.1, maximum: 60 });
export const DEDUPE_THRESHOLD = Type.Number({ minimum: 0, maximum: 1 });
export const MAX_FRAMES_PER_MINUTE = Type.Integer({ minimum: 1, maximum: 3600 });
export const MIN_CONFIDENCE = Type.Number({ minimum: 0, maximum: 1 });
