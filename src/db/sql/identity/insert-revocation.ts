import type { Revocation } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/** Ends the tokens of a subject ($2) or one token by its id ($3), issued until now. Locks the new row. */
export const insertRevocation = statement(
  'insert_revocation',
  `
insert into millrace.revocations (tenant_id, subject, token_id, created_by) values ($1, $2, $3, $4)
returning not_before`,
);

export type RevocationRow = Columns<Revocation, 'not_before'>;
