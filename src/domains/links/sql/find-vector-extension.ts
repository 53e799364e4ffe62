import { statement } from '../../../db/statement.ts';

/**
 * The schema of pgvector, where it is installed where this role may use it and the graph of codes is there.
 * Locks nothing. Index: pg_extension_name_index.
 */
export const findVectorExtension = statement(
  'find_vector_extension',
  `
select n.nspname as schema
from pg_extension e join pg_namespace n on n.oid = e.extnamespace
where e.extname = 'vector' and has_schema_privilege(n.oid, 'usage')
  and exists (select from pg_index i where i.indexrelid = to_regclass('millrace.link_vectors_graph_idx') and i.indisvalid)`,
);

export interface VectorExtensionRow {
  readonly schema: string;
}
