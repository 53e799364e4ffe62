import { statement } from '../statement.ts';

/** A UUIDv7 for a row whose id must be known before it is written. Locks nothing. */
export const newUuid = statement('new_uuid', `select uuidv7() as id`);
