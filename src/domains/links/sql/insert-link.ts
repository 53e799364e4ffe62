import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Link } from '../../../generated/prisma/client.ts';

/**
 * A link of tenant $1: URL $2, the submitter's own id $3, by $4. Its trigger enqueues `scrape`. No row when
 * the tenant has one with that id.
 * Index: links_source_ref_idx.
 */
export const insertLink = statement(
  'insert_link',
  `
insert into millrace.links (tenant_id, url, source_ref, created_by)
values ($1, $2, $3, $4)
on conflict (tenant_id, source_ref) where source_ref is not null do nothing
returning id`,
);

export type InsertedLinkRow = Columns<Link, 'id'>;
