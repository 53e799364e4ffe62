import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Link } from '../../../generated/prisma/client.ts';

/**
 * Shows that a stage of tenant $1's link $2 has begun: status $3. Gives what the stage works with. Locks the
 * row. Index: links_pkey.
 */
export const beginStage = statement(
  'begin_stage',
  `
update millrace.links l
set status = $3, processing_error = null,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where l.tenant_id = $1 and l.id = $2
returning l.url, l.title, l.description, l.language, l.content_hash, l.enriched_hash, l.enriched_by, l.embedded_by,
  (select t.text from millrace.link_texts t where t.link_id = l.id and l.text_kind is not null) as text`,
);

export interface BegunLinkRow
  extends Columns<
    Link,
    | 'url'
    | 'title'
    | 'description'
    | 'language'
    | 'content_hash'
    | 'enriched_hash'
    | 'enriched_by'
    | 'embedded_by'
  > {
  readonly text: string | null;
}
