import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { BulkAction } from '../../../generated/prisma/client.ts';

/** A bulk action of tenant $1: verb $2, filter $3, reason $4, spread $5 seconds, by $6. */
export const insertBulkAction = statement(
  'insert_bulk_action',
  `
insert into millrace.bulk_actions (tenant_id, verb, filter, reason, spread_seconds, created_by)
values ($1, $2, $3, $4, $5, $6)
returning id`,
);

export type InsertedBulkActionRow = Columns<BulkAction, 'id'>;
