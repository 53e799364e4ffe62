import { statement } from '../../../db/statement.ts';

/** Asks the holder of an upload to stop at its next renewal. Locks the row. Index: uploads_pkey. */
export const wantUpload = statement(
  'want_upload',
  `update millrace.uploads set is_wanted = true where id = $1 and held_until >= clock_timestamp()`,
);
