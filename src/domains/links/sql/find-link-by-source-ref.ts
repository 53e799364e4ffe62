import { statement } from '../../../db/statement.ts';

/** Tenant $1's link with the submitter's own id $2. Locks nothing. Index: links_source_ref_idx. */
export const findLinkBySourceRef = statement(
  'find_link_by_source_ref',
  `
select id from millrace.links where tenant_id = $1 and source_ref = $2`,
);
