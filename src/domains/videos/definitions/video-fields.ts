import { Type } from '../../../core/payload-type.ts';

export const VIDEO_ID = Type.String({ format: 'uuid' });

/** Key of a video's original in the store. */
export const ORIGINAL_PATH = Type.String({ minLength: 1, maxLength: 1024, pattern: '^videos/original/' });
