import { statement } from '../../../db/statement.ts';

/**
 * The vector of tenant $1's link $2 by model $3: $4 numbers, their signs $5, themselves $6. Locks the
 * row. Index: link_vectors_pkey.
 */
export const saveLinkVector = statement(
  'save_link_vector',
  `
insert into millrace.link_vectors (tenant_id, link_id, model, dimensions, code, vector)
values ($1, $2, $3, $4, $5::bit(1024), $6)
on conflict (tenant_id, model, link_id) do update
set dimensions = excluded.dimensions, code = excluded.code, vector = excluded.vector`,
);
