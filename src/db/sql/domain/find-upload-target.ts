import { statement } from '../../statement.ts';

/**
 * Whether a video still waits for the object with this key. Crosses tenants: whoever asks holds a signed URL for the key.
 * Locks nothing. Index: videos_pkey.
 */
export const findUploadTarget = statement(
  'find_upload_target',
  `select status from millrace.videos where id = $1 and original_key = $2`,
);
