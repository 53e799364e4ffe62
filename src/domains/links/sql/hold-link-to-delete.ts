import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Link } from '../../../generated/prisma/client.ts';

/** The version of a link that is about to be deleted. Locks the row. Index: links_pkey. */
export const holdLinkToDelete = statement(
  'hold_link_to_delete',
  'select version::text as version from millrace.links where tenant_id = $1 and id = $2 for update',
);

export type LinkToDeleteRow = Columns<Link, 'version'>;
