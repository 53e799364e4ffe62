import { statement } from '../../../db/statement.ts';

/** Who submitted tenant $1's link $2. Locks nothing. Index: links_pkey. */
export const findLinkCreator = statement(
  'find_link_creator',
  `
select created_by from millrace.links where tenant_id = $1 and id = $2`,
);
