import { statement } from '../../../db/statement.ts';

/** Forgets uploads $1, whose pieces are gone from the store. Locks the rows. Index: uploads_pkey. */
export const deleteUploads = statement(
  'delete_uploads',
  `delete from millrace.uploads where id = any ($1::uuid[])`,
);
