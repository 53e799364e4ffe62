import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Link } from '../../../generated/prisma/client.ts';

/** Deletes tenant $1's link $2, with its text and vectors. Locks the rows. Index: links_pkey. */
export const deleteLinkRow = statement(
  'delete_link_row',
  `
delete from millrace.links where tenant_id = $1 and id = $2 returning url`,
);

export type DeletedLinkRow = Columns<Link, 'url'>;
