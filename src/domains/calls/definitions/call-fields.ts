import { Type } from '../../../core/payload-type.ts';

export const CALL_ID = Type.String({ format: 'uuid' });

/** Key of an object of a call. */
export const CALL_PATH = Type.String({ minLength: 1, maxLength: 200, pattern: '^calls/' });
