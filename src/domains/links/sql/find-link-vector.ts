import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { LinkVector } from '../../../generated/prisma/client.ts';

/**
 * The vector of tenant $1's link $2 by the model that embedded it last. Locks nothing. Index:
 * link_vectors_pkey.
 */
export const findLinkVector = statement(
  'find_link_vector',
  `
select v.model, v.vector
from millrace.links l join millrace.link_vectors v on v.tenant_id = l.tenant_id and v.model = l.embedded_by and v.link_id = l.id
where l.tenant_id = $1 and l.id = $2`,
);

export type LinkVectorRow = Columns<LinkVector, 'model' | 'vector'>;
